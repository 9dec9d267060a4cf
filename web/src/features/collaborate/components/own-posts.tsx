import { useState } from "react";
import { longDate, shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { toast } from "@/ui/toast.tsx";
import type { Post } from "../model/post.ts";
import { usePostActions } from "../mutations.ts";
import { useOwnPosts } from "../queries.ts";
import { explainPostError, ownPostsStrings, postKindNames } from "../strings.ts";
import { PostForm } from "./post-form.tsx";

const editId = (post: Post) => `edit-${post.id}`;

/** The member's own posts, to change and to close. Nothing is drawn without any. */
export function OwnPosts() {
  const { data, isError, error, isFetching, refetch } = useOwnPosts();
  const { close } = usePostActions();
  const [editing, setEditing] = useState<string | null>(null);
  const [closing, setClosing] = useState<Post | null>(null);
  const [busy, setBusy] = useState(false);
  if (!data && isError) {
    return (
      <LoadFailed
        title={ownPostsStrings.loadFailed}
        busy={isFetching}
        advice={explainPostError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data || data.length === 0) return null;

  async function confirmClosing(post: Post): Promise<void> {
    setBusy(true);
    try {
      await close(post.id);
      toast.good(ownPostsStrings.closeDone);
    } catch (error) {
      console.error("The post was not closed", error);
      toast.danger(`${ownPostsStrings.closeFailed} ${explainPostError(error)}`);
    }
    setBusy(false);
    setClosing(null);
  }

  return (
    <section aria-labelledby="your-posts" className="grid gap-3">
      <h2 id="your-posts" className="display text-xl">
        {ownPostsStrings.title}
      </h2>
      <ul className="grid gap-3">
        {data.map((post) =>
          post.id === editing ? (
            <li key={post.id}>
              <PostForm post={post} openedBy={editId(post)} onDone={() => setEditing(null)} />
            </li>
          ) : (
            <li key={post.id}>
              <OwnPost
                post={post}
                onEdit={() => setEditing(post.id)}
                onClose={() => setClosing(post)}
              />
            </li>
          ),
        )}
      </ul>
      <ConfirmDialog
        open={closing !== null}
        onOpenChange={(open) => (open ? undefined : setClosing(null))}
        title={ownPostsStrings.closeQuestion}
        description={ownPostsStrings.closeText}
        confirmLabel={ownPostsStrings.closeConfirm}
        cancelLabel={ownPostsStrings.keepOpen}
        busy={busy}
        onConfirm={() => (closing ? void confirmClosing(closing) : undefined)}
      />
    </section>
  );
}

function OwnPost({
  post,
  onEdit,
  onClose,
}: {
  readonly post: Post;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}) {
  const now = useNow();
  return (
    <article className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-raised px-5 py-4">
      <div className="min-w-0 grow basis-60">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="break-words">{post.title}</bdi>
          <Badge>{postKindNames[post.kind]}</Badge>
        </h3>
        <p className="text-sm text-muted">
          {post.isOpen
            ? ownPostsStrings.openUntil(longDate(post.endsAt))
            : ownPostsStrings.closed(shortTime(post.createdAt, now))}
        </p>
      </div>
      {post.isOpen ? (
        <div className="flex gap-2">
          <Button
            id={editId(post)}
            variant="secondary"
            size="sm"
            aria-label={ownPostsStrings.editLabel(post.title)}
            onClick={onEdit}
          >
            {ownPostsStrings.edit}
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={ownPostsStrings.closeLabel(post.title)}
            onClick={onClose}
          >
            {ownPostsStrings.close}
          </Button>
        </div>
      ) : null}
    </article>
  );
}
