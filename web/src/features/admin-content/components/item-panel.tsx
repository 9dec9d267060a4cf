import { useState } from "react";
import { sections, type Shelf } from "@/domain/library-paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import { exactTime } from "@/lib/format-time.ts";
import { brand } from "@/domain/brand.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { editContentItem, type ContentItem } from "../api/items.ts";
import { useSaveContent } from "../mutations.ts";
import { itemContentStrings } from "../strings.ts";
import { CourseSale } from "./course-sale.tsx";
import { HideDialog } from "./hide-dialog.tsx";

/** One article or course: what it is, and what members see of it. */
export function ItemPanel({ shelf, item }: { readonly shelf: Shelf; readonly item: ContentItem }) {
  const { busy, issue, save } = useSaveContent();
  const [asking, setAsking] = useState(false);

  async function mark(marks: Parameters<typeof editContentItem>[3], done: string) {
    await save((client) => editContentItem(client, shelf, item.id, marks), done);
    setAsking(false);
  }

  const facts = [
    [itemContentStrings.category, sections[item.category].name],
    [
      itemContentStrings.subcategory,
      item.subcategoryIsActive
        ? item.subcategory
        : itemContentStrings.hiddenSubcategory(item.subcategory),
    ],
    [itemContentStrings.author, item.author ?? brand.name],
    [itemContentStrings.doneBy[shelf], pluralise(item.readers, "member")],
    [itemContentStrings.added, exactTime(item.createdAt)],
    [itemContentStrings.address, item.slug],
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
        <Alert tone="info">{itemContentStrings.notSeen}</Alert>
      ) : null}
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div className="flex flex-wrap gap-3">
        {item.isPublished ? (
          <Button variant="secondary" disabled={busy} onClick={() => setAsking(true)}>
            {itemContentStrings.withdraw[shelf]}
          </Button>
        ) : (
          <Button
            loading={busy}
            onClick={() =>
              void mark({ is_published: true }, itemContentStrings.publishedDone(item.title))
            }
          >
            {itemContentStrings.publish[shelf]}
          </Button>
        )}
        <Button
          variant="secondary"
          loading={busy}
          onClick={() =>
            void mark(
              { is_featured: !item.isFeatured },
              item.isFeatured
                ? itemContentStrings.notFeaturedDone(item.title)
                : itemContentStrings.featuredDone(item.title),
            )
          }
        >
          {item.isFeatured ? itemContentStrings.stopFeaturing : itemContentStrings.feature}
        </Button>
      </div>
      <p className="text-sm text-muted">{itemContentStrings.featuredNote}</p>
      {shelf === "courses" ? <CourseSale courseId={item.id} title={item.title} /> : null}
      <HideDialog
        open={asking}
        onOpenChange={setAsking}
        title={itemContentStrings.withdrawQuestion(item.title)}
        description={itemContentStrings.withdrawText[shelf]}
        confirmLabel={itemContentStrings.withdraw[shelf]}
        removals={
          item.subcategoryIsActive ? [{ kind: shelf, category: item.category, count: 1 }] : []
        }
        busy={busy}
        onConfirm={() =>
          void mark({ is_published: false }, itemContentStrings.withdrawnDone(item.title))
        }
      />
    </div>
  );
}
