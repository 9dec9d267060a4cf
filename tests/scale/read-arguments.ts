import { parseArgs } from "node:util";

export const usage = `Usage: npm run scale [-- KIND] [--seconds 30–600]
  without a kind  all of it in turn, but --haproxy, which --redis has
  --short         --haproxy for 30 s, and --keys; without --seconds
  --redis         loses decoders, Redis and hosts behind HAProxy (with --nginx behind nginx)
  --haproxy       loses hosts
  --nginx         loses hosts behind nginx
  --pooler        works behind PgBouncer with a replica
  --troubles      lets everything fail that monitoring has to tell; without --seconds
  --keys          replaces secrets and signing keys host by host, and signs in over several hosts; without --seconds
`;

/** What to run, and for how long where that is chosen. */
export interface Arguments {
  kind: "all" | "short" | "hosts" | "pooler" | "troubles" | "keys";
  redis: boolean;
  nginx: boolean;
  /** Undefined unless given. */
  seconds: number | undefined;
}

const isOff = { type: "boolean", default: false } as const;
/** These last as long as what they do. */
const kindsWithoutSeconds: readonly string[] = ["short", "troubles", "keys"];

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seconds: { type: "string" },
        short: isOff,
        haproxy: isOff,
        redis: isOff,
        nginx: isOff,
        pooler: isOff,
        troubles: isOff,
        keys: isOff,
      },
    }).values;
  } catch {
    return undefined;
  }
}

/** @returns undefined where the usage is to be said */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const values = parse(args);
  if (values === undefined) return undefined;
  const { redis, nginx, haproxy, pooler, troubles, keys, short: isShort } = values;
  const kinds = [
    ...(redis || nginx ? ["hosts" as const] : []),
    ...(haproxy ? ["hosts" as const] : []),
    ...(pooler ? ["pooler" as const] : []),
    ...(troubles ? ["troubles" as const] : []),
    ...(keys ? ["keys" as const] : []),
    ...(isShort ? ["short" as const] : []),
  ];
  const [kind = "all", ...others] = kinds;
  if (others.length > 0) return undefined;
  if (values.seconds === undefined) return { kind, redis, nginx, seconds: undefined };
  const seconds = Number(values.seconds);
  if (kindsWithoutSeconds.includes(kind) || !(seconds >= 30 && seconds <= 600)) return undefined;
  return { kind, redis, nginx, seconds };
}
