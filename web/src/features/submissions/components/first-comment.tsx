import { FoldBlocked, MemberName } from "@/features/people/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import type { Comment } from "../model/comment.ts";

/** The first answer to a submission, in at most two lines; the button beside it opens all. */
export function FirstComment({ comment: { author, content } }: { readonly comment: Comment }) {
  const { client } = useBackend();
  return (
    <div className="border-t border-line pt-4 text-sm">
      <FoldBlocked authorId={author.id}>
        <div className="flex gap-3">
          <Avatar
            id={author.id}
            name={author.name}
            picture={profilePictureUrl(client, author.avatarUrl)}
            size="sm"
          />
          <p className="line-clamp-2 min-w-0 self-center wrap-anywhere">
            <MemberName id={author.id} name={author.name} className="font-medium" />{" "}
            <bdi className="text-muted">{messageExcerpt(content)}</bdi>
          </p>
        </div>
      </FoldBlocked>
    </div>
  );
}
