import { useState } from "react";
import { useNavigate } from "react-router";
import { studioPreviewPath } from "@/domain/paths.ts";
import { useUserId } from "@/features/session/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { useSave } from "@/lib/use-save.ts";
import { toast } from "@/ui/toast.tsx";
import { handDraftOver, moveDraft, type DraftAction } from "./api/draft-actions.ts";
import type { DraftDetail } from "./api/drafts.ts";
import { describeStudioError } from "./components/explain-studio-error.ts";
import { hasText, isEditable, type DraftContent } from "./model/draft.ts";
import { publishTimeIn, publishTimeIssue } from "./model/publish-time.ts";
import { issuesIn, type DraftIssue } from "./model/studio-errors.ts";
import { usePlace } from "./queries.ts";
import { draftActionTexts, publishTimeStrings, type ActionTexts } from "./strings/actions.ts";
import { handedOverTexts } from "./strings/names.ts";

export type MentorsAction = Exclude<DraftAction, "publish">;

function textsOf(act: MentorsAction, draft: DraftDetail, hasTime: boolean): ActionTexts {
  switch (act) {
    case "submit":
      if (!draft.publishesDirectly) return draftActionTexts.submit;
      return hasTime ? draftActionTexts.schedule : draftActionTexts.publish;
    case "recall":
      return draft.status === "scheduled" ? draftActionTexts.unschedule : draftActionTexts.recall;
    case "withdraw":
      return draft.content.price > 0 ? draftActionTexts.withdrawPriced : draftActionTexts.withdraw;
    case "archive":
    case "unarchive":
      return draftActionTexts[act];
  }
}

/** The acts that a draft's state allows, as the database decides them; of one in which nothing stands yet, there is nothing to archive. */
function actsOn(
  draft: DraftDetail,
  version: number,
  isOwn: boolean,
  content: DraftContent,
): readonly MentorsAction[] {
  const { status, publishedVersion } = draft;
  const isPublic = publishedVersion !== null && status !== "withdrawn";
  const canSubmit = status !== "published" || publishedVersion !== version;
  if (!isEditable(status)) return [status === "archived" ? "unarchive" : "recall"];
  const isBlank = status === "draft" && content.title.trim() === "" && !hasText(content);
  return [
    ...(isOwn && canSubmit ? (["submit"] as const) : []),
    ...(isPublic ? (["withdraw"] as const) : isBlank ? [] : (["archive"] as const)),
  ];
}

export interface DraftActionsOptions {
  readonly draft: DraftDetail;
  /** What is being written; what is saved unless given. */
  readonly content?: DraftContent | undefined;
  /** The version the acts are about. */
  readonly version: number;
  /** While a film is uploading: the acts would end it, so they wait. */
  readonly isUploading?: boolean | undefined;
  /** Saves what is being written, before an act or the preview, and gives its version; null stops it. */
  readonly onBefore?: ((act: MentorsAction | "preview") => Promise<number | null>) | undefined;
  readonly onMoved: () => Promise<void>;
  /** What the draft still needs, after it could not be submitted. */
  readonly onIssues?: ((issues: readonly DraftIssue[]) => void) | undefined;
  /** The chosen time cannot be used, and its field says so. */
  readonly onTimeIssue?: (() => void) | undefined;
}

export type DraftActs = ReturnType<typeof useDraftActions>;

/** What moves a draft on, and the way to its preview. */
export function useDraftActions({
  draft,
  content = draft.content,
  version,
  isUploading = false,
  onBefore,
  onMoved,
  onIssues,
  onTimeIssue,
}: DraftActionsOptions) {
  const isOwn = draft.ownerId === useUserId();
  const navigate = useNavigate();
  const now = useNow();
  const [asking, setAsking] = useState<MentorsAction | null>(null);
  /** From the first press until the draft was read again, saving included. */
  const [busy, setBusy] = useState(false);
  /** What the field for the time holds; null while it is closed. */
  const [time, setTime] = useState<string | null>(null);
  const [timeIssue, setTimeIssue] = useState<string | null>(null);
  const { save, issue } = useSave({
    describeError: (error) => {
      const issues = onIssues === undefined ? [] : issuesIn(error);
      onIssues?.(issues);
      // What is listed in full is not said in general as well.
      return issues.length > 0 ? "" : describeStudioError(error);
    },
    // A draft that is submitted may be published by it, which is known only then.
    onSaved: (done) => {
      if (done !== "") toast.good(done);
    },
  });
  const textsFor = (act: MentorsAction) => textsOf(act, draft, time !== null);

  /** Saves what is being written, then does the work with the version that was saved; nothing when it can't be saved. */
  async function onSavedVersion(
    act: MentorsAction | "preview",
    work: (version: number) => Promise<void>,
  ) {
    setBusy(true);
    const seen = onBefore ? await onBefore(act) : version;
    // The open question would hide why the text wasn't saved.
    if (seen === null) setAsking(null);
    else await work(seen);
    setBusy(false);
  }

  async function move(act: MentorsAction, seen: number) {
    onIssues?.([]);
    const isMoved = await save(async (client) => {
      const newest = { id: draft.id, version: seen };
      if (act !== "submit") return moveDraft(client, act, newest);
      const publishAt = time === null ? null : publishTimeIn(time);
      toast.good(handedOverTexts[await handDraftOver(client, act, newest, publishAt)]);
    }, textsFor(act).done);
    setAsking(null);
    if (isMoved) await onMoved();
  }

  const perform = (act: MentorsAction) => onSavedVersion(act, (seen) => move(act, seen));

  const acts = actsOn(draft, version, isOwn, content);
  const place = usePlace(content.subcategoryId);

  return {
    draft,
    place,
    acts,
    busy,
    isUploading,
    issue,
    asking,
    setAsking,
    textsFor,
    perform,
    /** Does an act, or asks before it. */
    begin: (act: MentorsAction) => {
      const wrong = act === "submit" && time !== null ? publishTimeIssue(time, now) : null;
      setTimeIssue(wrong && publishTimeStrings[wrong]);
      if (wrong !== null) onTimeIssue?.();
      else if (textsFor(act).question === null) void perform(act);
      else setAsking(act);
    },
    openPreview: async () =>
      onSavedVersion("preview", async () => await navigate(studioPreviewPath(draft.id))),
    /** A time is chosen for a text, once there is one. */
    canSchedule: acts.includes("submit") && (hasText(content) || time !== null),
    publishTime: {
      value: time,
      error: timeIssue,
      disabled: busy,
      onChange: (value: string | null) => {
        setTime(value);
        setTimeIssue(null);
      },
    },
  };
}
