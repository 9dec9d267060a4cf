import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../support/spawn-product.ts";
import type { Scrapes } from "./scrapes.ts";

const paths = ["/usr/bin/promtool", "/usr/local/bin/promtool", "/opt/homebrew/bin/promtool"];
const rulesFile = join(projectRoot, "docs", "monitoring", "alerts.yml");

/** Where promtool is installed; undefined where it is not. */
export async function findPromtool(): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** The alerts that fire at a minute of the scrapes, and no others. */
export interface ExpectedAlerts {
  atMinute: number;
  alerts: readonly string[];
}

/**
 * Lets Prometheus's own rules decide over what was scraped.
 * @returns what is not as expected, in promtool's words
 */
export async function testRules(
  promtool: string,
  name: string,
  scrapes: Scrapes,
  expected: readonly ExpectedAlerts[],
): Promise<string[]> {
  // A file of rules names more than it can need; what no rule asks for makes the answer unreadable.
  const rules = await readFile(rulesFile, "utf8");
  const series = scrapes.series().filter(({ figure }) => rules.includes(figure));
  const test = {
    name,
    interval: "1m",
    input_series: series.map(({ key, values }) => ({ series: key, values })),
    promql_expr_test: expected.map(({ atMinute, alerts }) => ({
      expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${atMinute}m`,
      exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
    })),
  };
  const folder = await mkdtemp(join(tmpdir(), "troubles-"));
  try {
    const file = join(folder, "test.yml");
    // JSON is YAML.
    const content = { rule_files: [rulesFile], evaluation_interval: "1m", tests: [test] };
    await writeFile(file, JSON.stringify(content));
    await promisify(execFile)(promtool, ["test", "rules", file]);
    return [];
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return [`${name}: promtool: ${stdout}${stderr || String(error)}`];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
