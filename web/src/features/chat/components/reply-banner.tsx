import { X } from "lucide-react";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { Button } from "@/ui/button.tsx";
import type { Quote } from "../model/message.ts";
import { chatStrings, composerStrings } from "../strings.ts";

/** The message that is being answered, above the message field. */
export function ReplyBanner({
  reply,
  onCancel,
}: {
  readonly reply: Quote;
  readonly onCancel: () => void;
}) {
  return (
    <div className="flex items-center gap-3 rounded-control border-l-3 border-accent bg-sunken py-1 pr-1 pl-3 text-sm">
      <p className="min-w-0 grow truncate">
        <span className="text-muted">{composerStrings.replyingTo}</span>
        <bdi className="font-medium">{reply.author}</bdi>
        <span className="text-muted" dir="auto">
          {" "}
          · {messageExcerpt(reply.content)}
        </span>
      </p>
      <Button variant="quiet" size="sm" onClick={onCancel}>
        <X aria-hidden className="size-4" />
        {chatStrings.cancel}
      </Button>
    </div>
  );
}
