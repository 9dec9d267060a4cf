/** The beginning of something reported, as its author wrote it; nothing where there are no words. */
export function ReportedWords({ children }: { readonly children: string }) {
  if (children === "") return null;
  return (
    <blockquote
      dir="auto"
      className="line-clamp-4 border-l-2 border-line pl-3 text-sm break-words text-muted"
    >
      {children}
    </blockquote>
  );
}
