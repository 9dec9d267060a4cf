import { toast } from "./toast.tsx";

/** Copies a text. Rejects where the browser does not allow it; the clipboard is there on secure pages only. */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (!clipboard) throw new Error("this page may not use the clipboard");
  await clipboard.writeText(text);
}

/**
 * Copies an address of this site and says so with `done`. Where it can't be copied, it is shown instead, to be copied by
 * hand.
 */
export async function copyAddress(path: string, done: string): Promise<void> {
  const address = new URL(path, window.location.origin).href;
  try {
    await copyText(address);
    toast.good(done);
  } catch (error) {
    console.error("The address was not copied", error);
    toast.info(address);
  }
}
