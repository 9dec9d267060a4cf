/** The list of one's articles and courses. */
export const studioPageStrings = {
  title: "Studio",
  intro: "Write articles and courses. An administrator reviews them before members read them.",
  loadFailed: "We couldn't load your work",
  loading: "Loading your work",
  newArticle: "New article",
  newCourse: "New course",
  groups: {
    returned: "Returned to you",
    drafts: "Drafts",
    inReview: "In review",
    published: "Published",
    withdrawn: "Withdrawn",
    archived: "Archived",
  },
  emptyTitle: "Nothing written yet",
  empty:
    "Your articles and courses appear here. Begin with a short article on something members ask you often.",
  changed: (kind: string, ago: string) => `${kind} · changed ${ago}`,
  byOther: (name: string) => ` · by ${name}`,
} as const;

/** Bringing Markdown in, and taking everything along. */
export const studioFilesStrings = {
  import: "Import Markdown",
  export: "Export everything",
  nothingToExport: "There is nothing to export yet.",
  exported: "Everything you wrote was saved as a file.",
  exportFailed: (advice: string) => `Your work couldn't be exported. ${advice}`,
} as const;
