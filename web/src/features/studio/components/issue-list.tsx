import { Alert } from "@/ui/alert.tsx";
import type { DraftIssue } from "../model/studio-errors.ts";

const fieldNames: Readonly<Record<string, string>> = {
  title: "Title",
  slug: "Address",
  subcategory_id: "Subcategory",
  excerpt: "Excerpt",
  tags: "Tags",
  content: "Text",
  modules: "Modules",
  cover: "Cover",
};

function nameOf(field: string): string {
  const [name = "", place] = field.split(".");
  return place === undefined ? (fieldNames[name] ?? name) : `Module ${place}`;
}

/** What a draft still needs before it can be submitted. Renders nothing without issues. */
export function IssueList({ issues }: { readonly issues: readonly DraftIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <Alert tone="warn" title="Before you can submit this">
      <ul className="list-disc pl-5">
        {issues.map(({ field, message }) => (
          <li key={`${field}-${message}`}>
            <span className="font-medium">{nameOf(field)}:</span> {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
