import { setTimeout as sleep } from "node:timers/promises";
import { testRules } from "./promtool.ts";
import { Scrapes } from "./scrapes.ts";
import type { LogLine, TroubledHost } from "./troubled-host.ts";

const scrapeEveryMs = 1100;
const calmScrapes = 3;
/** The scrapes of a trouble stand for so long, so that every rule's `for` is over, and a counter's increase is still in its half hour. */
const lastsMinutes = 22;
/** After this time every alert has to be over. */
const calmMinutes = 65;
const warnLevel = 40;
/** So many lines at the levels warn and error may one trouble write in a minute. */
const mostLinesPerMinute = 40;

/** Something that goes wrong, and what has to come of it. */
export interface Trouble {
  name: string;
  hosts: readonly TroubledHost[];
  /** The host whose figures and log are looked at. */
  at: TroubledHost;
  /** What its `/metrics` says while it lasts, and does not say before and after; undefined: it gives no answer. */
  shows: RegExp | undefined;
  /** True for a counter, which says it for ever. */
  isCounted?: true;
  /** The alerts it sets off, and no others. */
  alerts: readonly string[];
  /** The part that the line of the log names. */
  part: string;
  /** How many milliseconds it may take until figures and log say it, and until both say that it is over. */
  longestMs?: number;
  inject: () => Promise<void>;
  /** What members do while it lasts. */
  meanwhile?: () => Promise<void>;
  mend: () => Promise<void>;
  /** What was lost; empty when all is there. */
  lost: () => Promise<string[]>;
}

/** What was seen. */
export interface TroubleFigures {
  trouble: string;
  /** From the beginning until the figures said it, and until the log did. */
  metricMs: number;
  logMs: number;
  /** Lines at the levels warn and error, by what they say. */
  lines: Record<string, number>;
}

const isOf = (line: LogLine, part: string) => line.part === part;
const isLoud = (line: LogLine) => line.level >= warnLevel;

async function untilTrue(is: () => Promise<boolean>, longestMs: number, what: string) {
  const until = performance.now() + longestMs;
  while (!(await is())) {
    if (performance.now() > until) throw new Error(`${what} was not seen within ${longestMs} ms`);
    await sleep(scrapeEveryMs);
  }
}

/** Brings one trouble over the hosts and takes it away again. */
export async function undergo(
  promtool: string,
  trouble: Trouble,
): Promise<{ figures: TroubleFigures; problems: string[] }> {
  const { name, hosts, at, shows, part, isCounted = false, longestMs = 60_000 } = trouble;
  const scrapes = new Scrapes();
  const scrape = async () => {
    const all = await Promise.all(
      hosts.map(async ({ instance, scrape: read }) => ({ instance, text: await read() })),
    );
    scrapes.add(all);
    const text = all.find(({ instance }) => instance === at.instance)?.text;
    return shows === undefined ? text === undefined : text !== undefined && shows.test(text);
  };
  const calm = async (mayShow: boolean) => {
    for (let count = 0; count < calmScrapes; count++) {
      await sleep(scrapeEveryMs);
      if ((await scrape()) && !mayShow)
        throw new Error(`${name}: its figure is there before or after it`);
    }
  };
  await calm(false);
  const before = scrapes.minutes;
  const firstLine = at.lines().length;
  const linesSince = () => at.lines().slice(firstLine);
  const startedAt = performance.now();
  const [elapsed, figures] = [
    () => Math.round(performance.now() - startedAt),
    { trouble: name, metricMs: 0, logMs: 0, lines: {} as Record<string, number> },
  ];
  await trouble.inject();
  let isMended = false;
  try {
    const isLogged = () => linesSince().some((line) => isOf(line, part) && isLoud(line));
    await trouble.meanwhile?.();
    await untilTrue(scrape, longestMs, `${name}: its figure`);
    figures.metricMs = elapsed();
    // A host that is frozen says it afterwards.
    if (shows !== undefined)
      await untilTrue(
        async () => await Promise.resolve(isLogged()),
        longestMs,
        `${name}: its line`,
      );
    figures.logMs = elapsed();
    for (let count = 0; count < calmScrapes; count++) {
      await sleep(scrapeEveryMs);
      await scrape();
    }
    scrapes.hold(lastsMinutes);
    const during = scrapes.minutes - 2;
    await trouble.mend();
    isMended = true;
    await untilTrue(
      async () => !(await scrape()) || isCounted,
      longestMs,
      `${name}: the end of its figure`,
    );
    await untilTrue(async () => await Promise.resolve(isLogged()), longestMs, `${name}: its line`);
    const isOver = () => part === "host" || linesSince().some((l) => isOf(l, part) && !isLoud(l));
    await untilTrue(
      async () => await Promise.resolve(isOver()),
      longestMs,
      `${name}: its last line`,
    );
    const lost = await trouble.lost();
    await calm(isCounted);
    scrapes.hold(calmMinutes);
    const lines = linesSince().filter(isLoud);
    for (const { msg = "", part: of } of lines) {
      const key = of === undefined ? msg.slice(0, 60) : `${of}: ${msg}`;
      figures.lines[key] = (figures.lines[key] ?? 0) + 1;
    }
    const minutes = Math.max(1, elapsed() / 60_000);
    const own = lines.filter((line) => isOf(line, part));
    const twice = own.filter((line, place) => own.findIndex((l) => l.level === line.level) < place);
    const ofRules = await testRules(promtool, name, scrapes, [
      { atMinute: before - 1, alerts: [] },
      { atMinute: during, alerts: trouble.alerts },
      { atMinute: scrapes.minutes - 1, alerts: [] },
    ]);
    const problems = [
      ...lost,
      ...(twice.length > 0 ? [`${twice.length} lines say again that ${part} has trouble`] : []),
      ...(lines.length > mostLinesPerMinute * minutes ? [`${lines.length} lines: a flood`] : []),
    ];
    return { figures, problems: [...problems.map((problem) => `${name}: ${problem}`), ...ofRules] };
  } finally {
    if (!isMended) await trouble.mend();
  }
}
