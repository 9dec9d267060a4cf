import type { BackendClient } from "@/lib/backend-client.ts";
import { retryLaterMessage, toAppError } from "@/lib/errors.ts";
import { messagePictureBucket } from "@/lib/message-picture.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { messagePictureName, type OutgoingPicture } from "../model/message-picture.ts";
import type { Outgoing } from "../model/message.ts";

/** Seconds a browser may show a picture without asking again: none, so that a deleted one is gone. */
const cacheSeconds = "0";
/** Timeout of an attempt. The same picture can be sent again. */
const uploadTimeoutMs = 60_000;

/** Why the storage did not take a picture. */
type PictureRefusal = Refusal<"tooManyPictures" | "pictureRefused">;

/** The storage did not take a picture. */
export class PictureRefusedError extends Error {
  override readonly name = "PictureRefusedError";
  readonly code = "picture_refused";
  /** Null when nothing is known about the reason. */
  readonly refusal: PictureRefusal | null;

  constructor(refusal: PictureRefusal | null) {
    super("picture_refused");
    this.refusal = refusal;
  }
}

function refusalOf(error: unknown): PictureRefusal | null {
  const status = String(Reflect.get(Object(error), "statusCode") ?? toAppError(error).status);
  if (status === "403") return { code: "tooManyPictures" };
  if (status === "413" || status === "415") return { code: "pictureRefused" };
  const message = retryLaterMessage(error);
  return message === null ? null : { message };
}

/**
 * Stores the picture of a message and answers with its name. A picture of this name that is there already was stored by an
 * earlier attempt.
 * @throws {PictureRefusedError} when the server answered; any other error when no answer came.
 */
export async function uploadMessagePicture(
  client: BackendClient,
  { id, author }: Pick<Outgoing, "id" | "author">,
  { file }: OutgoingPicture,
): Promise<string> {
  const name = messagePictureName(author.id, id, file);
  const attempt = client.storage
    .from(messagePictureBucket)
    .upload(name, file, { upsert: false, contentType: file.type, cacheControl: cacheSeconds });
  const { error } = await Promise.race([attempt, rejectLate(uploadTimeoutMs)]);
  if (!error) return name;
  const { status } = toAppError(error);
  if (status === 0) throw error;
  if (status === 409 || Reflect.get(error, "statusCode") === "409") return name;
  console.error("The picture was not stored", error);
  throw new PictureRefusedError(refusalOf(error));
}

async function rejectLate(milliseconds: number): Promise<never> {
  const signal = AbortSignal.timeout(milliseconds);
  return await new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("The upload took too long")));
  });
}
