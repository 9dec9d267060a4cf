import { spawn, spawnSync, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runVariable } from "../../tools/leave-nothing.mjs";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** A command of the product in its own process, and its output so far. */
export interface Spawned {
  child: ChildProcess;
  output: () => string;
  /** Resolves when the process has ended, with its exit code or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** Resolves when the text has appeared; rejects when the process ends first. */
  says: (text: string) => Promise<void>;
}

/** Starts a script on the running Node, with only PATH, HOME, Node's compile cache, the name of the run and the given variables. */
export function spawnScript(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string = projectRoot,
): Spawned {
  return collect(spawn(process.execPath, [...args], { ...optionsOf(env), cwd }));
}

/** Starts a program as the leader of a process group, as a shell does. */
export function spawnCommand(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Spawned {
  return collect(
    spawn(command, [...args], { ...optionsOf(env), cwd: projectRoot, detached: true }),
  );
}

/** Starts a script with an IPC channel, whose closing tells it that this process has ended. */
export function spawnBound(args: readonly string[], env: Record<string, string>): Spawned {
  return collect(
    spawn(process.execPath, [...args], {
      ...optionsOf(env),
      cwd: projectRoot,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    }) as ChildProcessByStdio<null, Readable, Readable>,
  );
}

function optionsOf(env: Record<string, string>) {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE = "", [runVariable]: run = "" } = process.env;
  return {
    env: { PATH, HOME, NODE_COMPILE_CACHE, [runVariable]: run, ...env },
    stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"],
  };
}

/** Starts a program with exactly these variables. */
export function spawnProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Spawned {
  return collect(spawn(program, [...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
}

function collect(child: ChildProcessByStdio<null, Readable, Readable>): Spawned {
  let text = "";
  const listeners = new Set<() => void>();
  const keep = (chunk: Buffer) => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = once(child, "close").then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals,
  );
  return {
    child,
    output: () => text,
    ended,
    says: async (wanted) => {
      const appeared = new Promise<void>((resolve) => {
        const look = () => {
          if (text.includes(wanted)) resolve();
        };
        listeners.add(look);
        look();
      });
      const died = ended.then(() => {
        if (!text.includes(wanted)) throw new Error(`ended without saying ${wanted}:\n${text}`);
      });
      await Promise.race([appeared, died]);
    },
  };
}

/** Throws unless packages and web app are ready, because a command would install them during the tests. */
export function assertPrepared(): void {
  const script = `import { isPrepared } from "./tools/runtime.mjs"; process.exit(isPrepared() ? 0 : 1);`;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: projectRoot,
  });
  if (status !== 0) throw new Error("Run `npm test` or `npm start` once: it installs and builds.");
}

/**
 * A TCP port that was free a moment ago, below those that systems give to connections: while a host restarts, no connection
 * of another test takes its port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) {
      await once(server, "close");
      return port;
    }
  }
}
