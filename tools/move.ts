import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { z } from "zod";
import { BootError, derivedKeys, readHostConfig, runMain, type HostConfig } from "basehost";
import { decryptSecret, encryptSecret } from "basehost/accounts";
import { resolveSecrets } from "basehost/database";
import { copyFiles, openBucket, openFolder, ProjectFiles, StagingArea } from "basehost/files";
import { reportCopied, showProgress } from "./copy-progress.ts";
import { readEnvironment } from "./environment.ts";
import { withInstanceDatabase } from "./instance-database.ts";
import { copyRows, type ConvertSecret } from "./move/copy-rows.ts";
import { withoutFileRules } from "./move/file-rules.ts";

const migrations = fileURLToPath(new URL("../supabase/migrations", import.meta.url));
const usage = `Usage, with the settings PROJECT_… that docs/deploy.md names:
  npm run move -- rows to-project      copies accounts and all rows of this install into a hosted project
  npm run move -- files to-project     then its files
  npm run move -- rows from-project    copies accounts and all rows of a hosted project into this new install
  npm run move -- files from-project   then its files`;

const databaseVariable = z.object({
  PROJECT_DATABASE_URL: z.url({ protocol: /^postgres(?:ql)?$/ }),
});
const fileVariables = z.object({
  PROJECT_S3_ENDPOINT: z.url({ protocol: /^https?$/ }),
  PROJECT_S3_REGION: z.string().min(1),
  PROJECT_S3_ACCESS_KEY_ID: z.string().min(1),
  PROJECT_S3_SECRET_ACCESS_KEY: z.string().min(1),
});

type Environment = Readonly<Record<string, string | undefined>>;
type Direction = "to-project" | "from-project";

/** @throws {BootError} with the names of what is missing or wrong. */
function read<Values>(variables: z.ZodType<Values>, environment: Environment): Values {
  const parsed = variables.safeParse(environment);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join("."));
  throw new BootError(`Missing or not valid: ${names.join(", ")}.`);
}

/** An authenticator's secret as it is shown once: letters and digits of base 32. */
const plainSecret = /^[A-Z2-7]{16,}=*$/;

/** Here secrets are encrypted with the data key; the auth service of a project takes them plain, and encrypts what it writes. */
async function secretsOf(config: HostConfig, direction: Direction): Promise<ConvertSecret> {
  const keys = derivedKeys((await resolveSecrets(config)).dataKeys);
  return (factor, stored) => {
    if (direction === "to-project") return decryptSecret(keys, factor, stored);
    return plainSecret.test(stored) ? encryptSecret(keys, factor, stored) : null;
  };
}

async function withProject<T>(
  environment: Environment,
  work: (project: pg.Client) => Promise<T>,
): Promise<T> {
  const { PROJECT_DATABASE_URL: url } = read(databaseVariable, environment);
  const project = new pg.Client({ connectionString: url, keepAlive: true });
  try {
    await project.connect();
  } catch (error) {
    throw new BootError(`The project's database cannot be reached: ${(error as Error).message}`);
  }
  try {
    return await work(project);
  } finally {
    await project.end();
  }
}

async function moveRows(
  config: HostConfig,
  own: pg.Client,
  project: pg.Client,
  direction: Direction,
): Promise<void> {
  const sides =
    direction === "to-project" ? { from: own, to: project } : { from: project, to: own };
  const summary = await copyRows(sides, await secretsOf(config, direction));
  process.stdout.write(
    `${summary.rows} rows of ${summary.tables} tables copied, ${summary.accounts} accounts among them.\n`,
  );
  if (summary.withoutFactor.length > 0) {
    process.stdout.write(
      `A second factor of theirs could not be taken along, so they set it up anew: ${summary.withoutFactor.join(", ")}\n`,
    );
  }
}

async function moveFiles(
  config: HostConfig,
  own: pg.Client,
  project: pg.Client,
  { environment, direction }: { environment: Environment; direction: Direction },
): Promise<void> {
  const values = read(fileVariables, environment);
  const silent = pino({ level: "silent" });
  const store =
    config.s3 === undefined ? openFolder(config.dataDir) : await openBucket(config.s3, silent);
  const files = await ProjectFiles.of(own, {
    endpoint: values.PROJECT_S3_ENDPOINT,
    region: values.PROJECT_S3_REGION,
    credentials: {
      accessKeyId: values.PROJECT_S3_ACCESS_KEY_ID,
      secretAccessKey: values.PROJECT_S3_SECRET_ACCESS_KEY,
    },
  });
  const staging = new StagingArea(join(config.dataDir, "storage", "incoming"));
  try {
    const summary =
      direction === "from-project"
        ? await copyFiles(own, { from: files, to: store.blobs, staging }, showProgress)
        : await withoutFileRules({ own, project }, async () => {
            return await copyFiles(own, { from: store.blobs, to: files, staging }, showProgress);
          });
    reportCopied(summary);
  } finally {
    files.close();
    store.blobs.close();
  }
}

/** Moves an install to a hosted project of the same version, or a hosted project to a new install. */
async function main(): Promise<void> {
  const [what = "", direction = "", ...rest] = process.argv.slice(2);
  if (direction !== "to-project" && direction !== "from-project") throw new BootError(usage);
  if ((what !== "rows" && what !== "files") || rest.length > 0) throw new BootError(usage);
  const environment = await readEnvironment(process.cwd(), process.env);
  const config = readHostConfig(environment);
  await withProject(environment, async (project) => {
    await withInstanceDatabase(config, migrations, async (pool) => {
      const own = await pool.connect();
      try {
        if (what === "rows") await moveRows(config, own, project, direction);
        else await moveFiles(config, own, project, { environment, direction });
      } finally {
        own.release();
      }
    });
  });
}

await runMain(main);
