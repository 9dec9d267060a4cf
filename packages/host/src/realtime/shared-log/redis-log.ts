// The shared log in Redis: seats are keys that expire, entries a capped stream, and each write checks the seat.

import type { Redis } from "ioredis";
import { commandTimeoutMs, connectRedis } from "../../redis/connect-redis.ts";
import type { RedisAccess } from "../../redis/redis-access.ts";
import {
  seatMs,
  SeatLostError,
  type CurrentLogState,
  type LogEntry,
  type LogState,
  type NewLogEntry,
  type Seat,
  type SharedLog,
} from "./shared-log.ts";

/** How long a read waits for entries. */
const blockMs = 1_000;
const maxEntriesPerRead = 50;
const versionBytes = 4;
/** What a host announced is forgotten this long after it was last heard of. */
const announcedMs = 10_000;
/** What an install leaves in Redis is gone after this time without a decoder. */
const keepMs = 60 * 60_000;

const holdScript = `
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1`;

const releaseScript = `
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end
return 1`;

/** KEYS: the decoder's seat, the state, the stream. ARGV: the token, the run. */
const checkSeat = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end`;
const checkRun = `${checkSeat}
if redis.call('hget', KEYS[2], 'run') ~= ARGV[2] then return 0 end`;

const beginScript = `${checkSeat}
local before = redis.call('hget', KEYS[2], 'run')
if before then redis.call('del', ARGV[8] .. before) end
redis.call('del', KEYS[2], KEYS[3])
redis.call('hset', KEYS[2], 'run', ARGV[2], 'source', ARGV[3], 'head', 0, 'lsn', ARGV[4], 'index', ARGV[5], 'position', ARGV[6], 'decoder', ARGV[1])
redis.call('pexpire', KEYS[2], ARGV[7])
return 1`;

const appendScript = `${checkRun}
if tonumber(ARGV[3]) <= tonumber(redis.call('hget', KEYS[2], 'head')) then return 1 end
redis.call('xadd', KEYS[3], ARGV[3] .. '-0', 'b', ARGV[4])
redis.call('xtrim', KEYS[3], 'MINID', ARGV[5])
redis.call('hset', KEYS[2], 'head', ARGV[3], 'lsn', ARGV[6], 'index', ARGV[7], 'position', ARGV[8])
return 1`;

const noteScript = `${checkRun}
redis.call('hset', KEYS[2], 'position', ARGV[3], 'decoder', ARGV[1])
redis.call('pexpire', KEYS[2], ARGV[4])
redis.call('pexpire', KEYS[3], ARGV[4])
return 1`;

type Argument = string | number | Buffer;

/** The log of one database in Redis or Valkey. */
export class RedisLog implements SharedLog {
  readonly #commands: Redis;
  /** Reads block their connection. */
  readonly #reads: Redis;
  readonly #prefix: () => Promise<string>;

  constructor(access: RedisAccess) {
    const options = { commandTimeout: commandTimeoutMs + blockMs };
    this.#commands = connectRedis(access, options);
    this.#reads = connectRedis(access, options);
    this.#prefix = access.prefix;
  }

  async hold(seat: Seat, token: string): Promise<boolean> {
    return await this.#eval(holdScript, [await this.#key(seat)], [token, seatMs]);
  }

  async release(seat: Seat, token: string): Promise<void> {
    await this.#eval(releaseScript, [await this.#key(seat)], [token]);
  }

  async state(): Promise<CurrentLogState | undefined> {
    const [fields, holder] = await Promise.all([
      this.#commands.hgetall(await this.#key("state")),
      this.#commands.get(await this.#key("decoder")),
    ]);
    const { run, source, head, lsn, index, position, decoder } = fields;
    if (run === undefined || source === undefined) return undefined;
    return {
      run,
      source,
      head: Number(head),
      place: { lsn: BigInt(lsn ?? 0), index: Number(index) },
      position: BigInt(position ?? 0),
      isDecoded: decoder !== undefined && decoder === holder,
    };
  }

  async begin(token: string, { run, source, place, position }: LogState): Promise<void> {
    const streams = await this.#key("changes:");
    const values = [run, source, String(place.lsn), place.index, String(position), keepMs, streams];
    await this.#write(beginScript, run, token, values);
  }

  async append(token: string, entry: NewLogEntry): Promise<void> {
    const { run, sequence, bytes, oldest, place, position } = entry;
    const values = [run, sequence, bytes, oldest, String(place.lsn), place.index, String(position)];
    await this.#write(appendScript, run, token, values);
  }

  async note(token: string, run: string, position: bigint): Promise<void> {
    await this.#write(noteScript, run, token, [run, String(position), keepMs]);
  }

  async read(run: string, after: number): Promise<readonly LogEntry[]> {
    const stream = await this.#key(`changes:${run}`);
    type Reply = [stream: Buffer, entries: [id: Buffer, fields: Buffer[]][]][] | null;
    const options = ["COUNT", maxEntriesPerRead, "BLOCK", blockMs, "STREAMS", stream, `${after}-0`];
    const reply = (await this.#reads.callBuffer("XREAD", options)) as Reply;
    return (reply?.[0]?.[1] ?? []).map(([id, [, bytes]]) => ({
      sequence: Number.parseInt(id.toString(), 10),
      bytes: bytes ?? Buffer.alloc(0),
    }));
  }

  async announce(host: string, version: number, bytes?: Buffer): Promise<boolean> {
    const key = await this.#key(`announced:${host}`);
    if (bytes === undefined) return (await this.#commands.pexpire(key, announcedMs)) === 1;
    const prefix = Buffer.alloc(versionBytes);
    prefix.writeUInt32BE(version);
    await this.#commands.set(key, Buffer.concat([prefix, bytes]), "PX", announcedMs);
    await this.#commands.hset(await this.#key("announced"), host, version);
    return true;
  }

  async announced(): Promise<ReadonlyMap<string, number>> {
    const all = await this.#key("announced");
    const versions = new Map<string, number>();
    for (const [host, version] of Object.entries(await this.#commands.hgetall(all))) {
      if ((await this.#commands.exists(await this.#key(`announced:${host}`))) === 1)
        versions.set(host, Number(version));
      else await this.#commands.hdel(all, host);
    }
    return versions;
  }

  async announcement(host: string): Promise<{ version: number; bytes: Buffer } | undefined> {
    const value = await this.#commands.getBuffer(await this.#key(`announced:${host}`));
    if (value === null) return undefined;
    return { version: value.readUInt32BE(0), bytes: value.subarray(versionBytes) };
  }

  async close(): Promise<void> {
    this.#commands.disconnect();
    this.#reads.disconnect();
    await Promise.resolve();
  }

  async #key(part: string): Promise<string> {
    return (await this.#prefix()) + part;
  }

  async #write(
    script: string,
    run: string,
    token: string,
    values: readonly Argument[],
  ): Promise<void> {
    const keys = [
      await this.#key("decoder"),
      await this.#key("state"),
      await this.#key(`changes:${run}`),
    ];
    if (!(await this.#eval(script, keys, [token, ...values]))) {
      throw new SeatLostError("Another host decodes the log.");
    }
  }

  async #eval(
    script: string,
    keys: readonly string[],
    values: readonly Argument[],
  ): Promise<boolean> {
    return (await this.#commands.eval(script, keys.length, ...keys, ...values)) === 1;
  }
}
