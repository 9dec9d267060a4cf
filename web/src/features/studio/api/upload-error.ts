/** What the storage answered, or status 0 when it could not be reached. */
export class UploadError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Why an upload is aborted whose member cancelled it; a page that goes away keeps what was sent. */
export const discarded = "discarded";

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** Called with the share of the film that has been sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
}
