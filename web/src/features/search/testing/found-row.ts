/** One row of what `search_library` answers. */
export const foundRow = (kind: string, title: string, differs: object = {}) => ({
  kind,
  id: title,
  title,
  excerpt: `Something about **${title}**.`,
  category: "general",
  path: `/knowledge/foundations/learning/${title.toLowerCase().replaceAll(" ", "-")}`,
  rank: 0.5,
  ...differs,
});
