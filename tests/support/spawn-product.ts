import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A command of the product in a process of its own, and what it has said so far. */
export interface Spawned {
  child: ChildProcess;
  output: () => string;
  /** Resolves when the process has ended, with its exit code or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** Resolves when the text has appeared; rejects when the process ends first. */
  says: (text: string) => Promise<void>;
}

/** Starts a script on this very Node, with only the given variables on top of PATH and HOME. */
export function spawnScript(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string = ROOT,
): Spawned {
  const { PATH = "", HOME = "" } = process.env;
  return spawnProgram(process.execPath, args, { PATH, HOME, ...env }, cwd);
}

/** Starts a program with exactly these variables. */
export function spawnProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Spawned {
  const child = spawn(program, [...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer) => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
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

/** A TCP port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  server.close();
  await once(server, "close");
  return port;
}
