/** The browser takes a file in its own time, so its address stays valid for a minute. */
const addressValidMs = 60_000;

/** Lets the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), addressValidMs);
}
