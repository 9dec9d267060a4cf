// Decodes images with sharp within limits on pixels, memory, time and how many run at once.

import { availableParallelism } from "node:os";
import type { Metadata, Sharp } from "sharp";
import { StorageError, storageErrors } from "./storage-errors.ts";

/** Enough for a large phone photo; all frames of an animation together. */
const maxPixels = 50_000_000;
/** Pixels × channels × bytes of a sample, of images that are decoded row by row. */
const maxDecodedBytes = 200 * 1024 ** 2;
/** Bytes a decoder holds at once, of images that it has to decode as a whole. */
const maxBufferedBytes = 100 * 1024 ** 2;
const decodeTimeoutS = 10;

/** Images decoded at a time; one thread each, so that a processor is left for everything else. */
const maxDecoding = availableParallelism() >= 4 ? 2 : 1;
const maxQueued = 40;
const maxQueuedPerAccount = 6;
const maxWaitMs = 20_000;
const retryAfterS = 5;

/** The library, loaded with the first picture. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  // Nothing here opens the same file twice, and libvips would keep its memory.
  sharp.cache(false);
  return sharp;
}

interface Waiter {
  start: () => void;
}

/** Lets few images be decoded at a time. The accounts that wait take turns. */
export class DecodeQueue {
  readonly #limits: {
    concurrent: number;
    queued: number;
    queuedPerAccount: number;
    waitMs: number;
  };
  readonly #waiting = new Map<string | undefined, Waiter[]>();
  #running = 0;
  #queued = 0;

  constructor(
    limits = {
      concurrent: maxDecoding,
      queued: maxQueued,
      queuedPerAccount: maxQueuedPerAccount,
      waitMs: maxWaitMs,
    },
  ) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when it is the account's turn.
   * @param account undefined for the server itself, whose key brings in whole libraries: it waits as long as it takes.
   * @throws {StorageError} SlowDown when the account or everybody has too much waiting, or the wait was too long.
   */
  async run<T>(account: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.concurrent) await this.#wait(account);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  async #wait(account: string | undefined): Promise<void> {
    const isServer = account === undefined;
    const own = this.#waiting.get(account) ?? [];
    if (!isServer && own.length >= this.#limits.queuedPerAccount)
      throw storageErrors.slowDown(429, retryAfterS);
    if (!isServer && this.#queued >= this.#limits.queued)
      throw storageErrors.slowDown(503, retryAfterS);
    this.#waiting.set(account, own);
    if (!isServer) this.#queued += 1;
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        own.splice(own.indexOf(waiter), 1);
        if (!isServer) this.#queued -= 1;
        this.#waiting.delete(account);
        // The account's next image waits behind those of the others.
        if (own.length > 0) this.#waiting.set(account, own);
      };
      const waiter = {
        start: () => {
          leave();
          resolve();
        },
      };
      const giveUp = () => {
        leave();
        reject(storageErrors.slowDown(503, retryAfterS));
      };
      const timer = isServer ? undefined : setTimeout(giveUp, this.#limits.waitMs);
      own.push(waiter);
    });
  }

  /** Hands the place of a finished image to the next one. */
  #next(): void {
    const [first] = this.#waiting.values();
    const waiter = first?.[0];
    if (waiter === undefined) this.#running -= 1;
    else waiter.start();
  }
}

/** Bytes of the coefficients of a progressive JPEG for one pixel; they are held until the last scan. */
function coefficientBytes({ chromaSubsampling, channels }: Metadata): number {
  if (chromaSubsampling?.startsWith("4:2:0") === true) return 3;
  return channels * 2;
}

/** Bytes that a decoder holds at once. */
function bufferedBytes(image: Metadata, pixels: number, decodedBytes: number): number {
  const frames = image.pages ?? 1;
  if (image.format === "png" && image.isProgressive) return decodedBytes;
  if (image.format === "jpeg" && image.isProgressive) return pixels * coefficientBytes(image);
  if (image.format === "webp" || image.format === "gif") return (pixels / frames) * 4;
  return 0;
}

/**
 * Refuses an image whose decoding would take too much memory, by its header.
 * @throws {StorageError}
 */
export function assertDecodable(image: Metadata): void {
  // Of an animation, the height is that of all its frames below each other.
  const pixels = image.width * image.height;
  const sampleBytes = ["uchar", "char"].includes(image.depth)
    ? 1
    : image.depth.endsWith("short")
      ? 2
      : 8;
  const decodedBytes = pixels * image.channels * sampleBytes;
  if (
    pixels > maxPixels ||
    decodedBytes > maxDecodedBytes ||
    bufferedBytes(image, pixels, decodedBytes) > maxBufferedBytes
  ) {
    throw storageErrors.invalidRequest("The image has too many pixels");
  }
}

/**
 * Decodes an image and writes it anew at `target`.
 * @param change gets the decoded image and says what is made of it.
 * @throws {StorageError} for an image that is broken or too large, and SlowDown.
 */
export async function decodeImage(
  queue: DecodeQueue,
  account: string | undefined,
  source: string,
  target: string,
  change: (image: Sharp, metadata: Metadata) => Sharp,
): Promise<void> {
  await queue.run(account, async () => {
    const sharp = await loadSharp();
    try {
      const animated = true;
      const metadata = await sharp(source, { animated, limitInputPixels: false }).metadata();
      assertDecodable(metadata);
      const image = sharp(source, {
        limitInputPixels: maxPixels,
        failOn: "error",
        animated: metadata.format === "gif" || metadata.format === "webp",
      });
      await change(image.timeout({ seconds: decodeTimeoutS }), metadata).toFile(target);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw storageErrors.invalidRequest("The image could not be read");
    }
  });
}
