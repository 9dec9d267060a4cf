export const articleStrings = {
  featured: "Featured",
  read: "Read",
  tags: "Tags",
  minutes: (minutes: number) => `${minutes} min read`,
  readTitle: "You've read this",
  readText: "It counts towards your level. Read it again whenever you like.",
  unreadText: "Mark it as read to count it towards your level.",
  ownText: "This is your own article, so it doesn't count towards your level.",
  notFound: "It may have been removed, or the link may be wrong.",
  back: "Back to the articles",
} as const;
