import { useState } from "react";
import { sections, type Shelf } from "@/domain/library-paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import { exactTime } from "@/lib/format-time.ts";
import { brand } from "@/domain/brand.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { editContentItem, type ContentItem } from "../api/items.ts";
import { useSaveContent } from "../mutations.ts";
import { CourseSale } from "./course-sale.tsx";
import { HideDialog } from "./hide-dialog.tsx";

/** One article or course: what it is, and what members see of it. */
export function ItemPanel({ shelf, item }: { readonly shelf: Shelf; readonly item: ContentItem }) {
  const { busy, issue, save } = useSaveContent();
  const [asking, setAsking] = useState(false);
  const noun = shelf === "articles" ? "article" : "course";

  async function mark(marks: Parameters<typeof editContentItem>[3], done: string) {
    await save((client) => editContentItem(client, shelf, item.id, marks), done);
    setAsking(false);
  }

  const facts = [
    ["Category", sections[item.category].name],
    ["Subcategory", item.subcategory + (item.subcategoryIsActive ? "" : " (hidden)")],
    ["Author", item.author ?? brand.name],
    [shelf === "articles" ? "Read by" : "Completed by", pluralise(item.readers, "member")],
    ["Added", exactTime(item.createdAt)],
    ["Address", item.slug],
  ] as const;

  return (
    <div className="grid gap-5">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {item.isPublished && !item.subcategoryIsActive ? (
        <Alert tone="info">Members don't see it while its subcategory is hidden.</Alert>
      ) : null}
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div className="flex flex-wrap gap-3">
        {item.isPublished ? (
          <Button variant="secondary" disabled={busy} onClick={() => setAsking(true)}>
            Withdraw {noun}
          </Button>
        ) : (
          <Button
            loading={busy}
            onClick={() => void mark({ is_published: true }, `${item.title} is published.`)}
          >
            Publish {noun}
          </Button>
        )}
        <Button
          variant="secondary"
          loading={busy}
          onClick={() =>
            void mark(
              { is_featured: !item.isFeatured },
              item.isFeatured
                ? `${item.title} is no longer featured.`
                : `${item.title} is featured.`,
            )
          }
        >
          {item.isFeatured ? "Stop featuring" : "Feature"}
        </Button>
      </div>
      <p className="text-sm text-muted">
        Featured ones come first on their page and carry a Featured badge. What you set here stays
        when the library is imported again.
      </p>
      {shelf === "courses" ? <CourseSale courseId={item.id} title={item.title} /> : null}
      <HideDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Withdraw ${item.title}?`}
        description={`The ${noun} disappears for members at once.`}
        confirmLabel={`Withdraw ${noun}`}
        removals={
          item.subcategoryIsActive ? [{ kind: shelf, category: item.category, count: 1 }] : []
        }
        busy={busy}
        onConfirm={() => void mark({ is_published: false }, `${item.title} is withdrawn.`)}
      />
    </div>
  );
}
