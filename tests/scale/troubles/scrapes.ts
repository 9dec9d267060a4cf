// What was scraped of several hosts, a minute apart as Prometheus would have it, for `promtool test rules`.

const job = "fourfold";

interface Scraped {
  instance: string;
  /** `/metrics`; undefined when the host gave no answer. */
  text: string | undefined;
}

/** Puts Prometheus's own labels into a line's series. */
function keyOf(series: string, instance: string): string {
  const own = `instance="${instance}",job="${job}"`;
  const at = series.indexOf("{");
  return at === -1
    ? `${series}{${own}}`
    : `${series.slice(0, at + 1)}${own},${series.slice(at + 1)}`;
}

function valuesOf({ instance, text }: Scraped): Map<string, string> {
  const values = new Map([[keyOf("up", instance), text === undefined ? "0" : "1"]]);
  for (const line of (text ?? "").split("\n")) {
    const at = line.lastIndexOf(" ");
    if (at === -1 || line.startsWith("#")) continue;
    const value = line.slice(at + 1);
    values.set(keyOf(line.slice(0, at), instance), value === "+Inf" ? "Inf" : value);
  }
  return values;
}

/** A series as promtool takes it. */
export interface ScrapedSeries {
  figure: string;
  key: string;
  values: string;
}

/** Scrapes of all hosts, one for each minute. */
export class Scrapes {
  readonly #minutes: Map<string, string>[] = [];

  get minutes(): number {
    return this.#minutes.length;
  }

  add(scraped: readonly Scraped[]): void {
    this.#minutes.push(new Map(scraped.flatMap((one) => [...valuesOf(one)])));
  }

  /** Lets the last scrape stand for so many minutes more. */
  hold(minutes: number): void {
    const last = this.#minutes.at(-1);
    if (last === undefined) return;
    this.#minutes.push(...Array.from({ length: minutes }, () => last));
  }

  /** Every series; one that is no longer given ends there, as Prometheus has it. */
  series(): ScrapedSeries[] {
    const keys = new Set(this.#minutes.flatMap((values) => [...values.keys()]));
    return [...keys].map((key) => {
      let isThere = false;
      const values = this.#minutes.map((minute) => {
        const value = minute.get(key);
        const text = value ?? (isThere ? "stale" : "_");
        isThere = value !== undefined;
        return text;
      });
      return { figure: key.slice(0, key.indexOf("{")), key, values: values.join(" ") };
    });
  }
}
