/** The files among what was pasted or dropped; none when words came with them. */
export function transferredFiles(transfer: DataTransfer | null): readonly File[] {
  // Word and Excel put a picture of the words beside them.
  if (transfer === null || transfer.getData("text/plain").trim() !== "") return [];
  return [...transfer.files];
}
