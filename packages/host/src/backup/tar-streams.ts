import type { Readable, Writable } from "node:stream";
import tar from "tar-stream";

/** One entry of a tar archive that is read; each has to be consumed before the next comes. */
export interface TarEntry extends AsyncIterable<Uint8Array> {
  header: { name: string; type: string; mode: number; size: number };
  /** Skips the content. */
  resume: () => void;
}

/** A tar archive that is written. */
export type TarPack = Readable &
  Pick<tar.Pack, "finalize"> & {
    entry: (
      header: Parameters<tar.Pack["entry"]>[0],
      done?: (error?: Error | null) => void,
    ) => Writable;
  };

/** Takes the bytes of a tar archive and gives its entries. Typed as the streams of Node, whose events it has. */
export function extractTar(): Writable & AsyncIterable<TarEntry> {
  return tar.extract() as unknown as Writable & AsyncIterable<TarEntry>;
}

/** Takes entries and gives the bytes of a tar archive. */
export function packTar(): TarPack {
  return tar.pack() as unknown as TarPack;
}
