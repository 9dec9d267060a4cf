/** What is wrong with most documents, as the member reads it. */
export const rejectionReasons = [
  "The picture is blurred or too dark to read. Please take it again in good light.",
  "Part of the document is cut off. All four corners have to be visible.",
  "The document has expired. Please send one that is valid today.",
  "This is a screenshot or a photocopy. Please send a photo of the document itself.",
  "The name on the document isn't the name on your profile.",
  "This isn't a passport, driving licence or national ID card.",
  "The file couldn't be opened. Please send it again as a JPG, PNG or PDF.",
] as const;
