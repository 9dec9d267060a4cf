import { Flag } from "lucide-react";
import { useRef, useState, type ComponentType } from "react";
import { Link } from "react-router";
import { adminMemberPath, paths, submissionCommentsPath, submissionPath } from "@/domain/paths.ts";
import { reportCategoryName } from "@/domain/report-categories.ts";
import { roleNames } from "@/domain/roles.ts";
import { useBackend } from "@/lib/backend.tsx";
import { shortTime } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import type { ReportDecision, ReportKind } from "../model/report-kinds.ts";
import type { GivenReason, Report } from "../model/report.ts";
import { useRefreshReports } from "../queries.ts";
import { decisionStrings, reportQueueStrings, stringsOfKind } from "../strings.ts";
import { ContextLines, WrittenAt } from "./context-lines.tsx";
import { ReportedPicture } from "./reported-picture.tsx";

/** Where something reported is shown; nothing where administrators see it nowhere else. */
const pathOf: Partial<Record<ReportKind, (place: Report["place"]) => string>> = {
  message: ({ roomId, subjectId }) => `${paths.chats}/${roomId ?? ""}#${subjectId}`,
  submission: ({ submissionId }) => submissionPath(submissionId ?? ""),
  comment: ({ submissionId }) => submissionCommentsPath(submissionId ?? ""),
};

/** What suspends an account; `onClose` is called once it is done, or is not wanted. */
export type SuspendFormType = ComponentType<{
  readonly memberId: string;
  readonly onClose: () => void;
}>;

/** What was reported as it was then, by whom it is, why it was reported, and the two decisions. */
export function ReportCard({
  report,
  suspendForm: SuspendForm,
  onDecide,
}: {
  readonly report: Report;
  readonly suspendForm: SuspendFormType;
  readonly onDecide: (decision: ReportDecision) => void;
}) {
  const now = useNow();
  const refresh = useRefreshReports();
  const [isSuspending, setSuspending] = useState(false);
  const suspend = useRef<HTMLButtonElement>(null);
  const { kind, author, place, occupation, writtenAt } = report;
  const texts = stringsOfKind(kind);
  const path = pathOf[kind]?.(place);
  return (
    <div className="grid grid-cols-1 gap-3 px-5 py-4">
      <div className="flex items-center gap-3">
        {kind === "profile" ? <AuthorPicture author={author} /> : null}
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <bdi className="min-w-0 font-medium break-words">{author.name}</bdi>
            <RoleBadge role={author.role} label={roleNames[author.role]} />
            {author.isSuspended ? (
              <Badge colour="danger">{reportQueueStrings.suspended}</Badge>
            ) : null}
            {texts.place === "" ? null : (
              <span className="min-w-0 text-muted">
                {texts.place}
                {path === undefined ? null : (
                  <Link className="break-words text-ink underline underline-offset-4" to={path}>
                    <bdi>{place.name}</bdi>
                  </Link>
                )}
              </span>
            )}
            {writtenAt === null ? null : (
              <span className="text-muted">
                <WrittenAt time={writtenAt} />
              </span>
            )}
            <Badge colour="warn" icon={<Flag aria-hidden className="size-3" />} className="tabular">
              {reportQueueStrings.reports(report.reports, shortTime(report.reportedAt, now))}
            </Badge>
          </p>
          {occupation === "" ? null : (
            <p className="text-sm break-words text-muted">{occupation}</p>
          )}
        </div>
      </div>
      <ReportedCopy report={report} />
      {report.isDeleted ? (
        <p className="text-sm text-muted">{reportQueueStrings.deleted(texts.name)}</p>
      ) : report.isChanged ? (
        <p className="text-sm text-muted">{reportQueueStrings.changed}</p>
      ) : null}
      <ul aria-label={reportQueueStrings.reasons} className="grid gap-1 text-sm text-muted">
        {report.reasons.map((reason, index) => (
          <li key={index}>
            <Reason {...reason} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="sm"
          aria-keyshortcuts="a"
          onClick={() => onDecide("keep")}
        >
          {decisionStrings.keep.press}
        </Button>
        <Button
          variant="danger"
          size="sm"
          aria-keyshortcuts="r x"
          onClick={() => onDecide(texts.removal)}
        >
          {decisionStrings[texts.removal].press}
        </Button>
        {author.role === "admin" ? null : (
          <Button
            ref={suspend}
            variant="secondary"
            size="sm"
            aria-expanded={isSuspending}
            onClick={() => setSuspending(!isSuspending)}
          >
            {reportQueueStrings.suspend}
          </Button>
        )}
        <Button asChild variant="quiet" size="sm">
          <Link to={adminMemberPath(author.id)}>{reportQueueStrings.openAccount}</Link>
        </Button>
      </div>
      {isSuspending ? (
        <SuspendForm
          memberId={author.id}
          onClose={() => {
            setSuspending(false);
            suspend.current?.focus();
            refresh();
          }}
        />
      ) : null}
    </div>
  );
}

/** What one member chose, and said. */
function Reason({ category, words }: GivenReason) {
  const name = reportCategoryName(category);
  return (
    <>
      {name === "" ? null : <p className="font-medium text-ink">{name}</p>}
      {words === "" ? null : (
        <p dir="auto" className="break-words whitespace-pre-line">
          “{words}”
        </p>
      )}
    </>
  );
}

/** What the report kept (a text, a picture, topics) between what was written before and after it. */
function ReportedCopy({
  report: { before, after, isAlone, content, picture, pictureAlt, topics },
}: {
  readonly report: Report;
}) {
  return (
    <>
      <ContextLines label={reportQueueStrings.before} lines={before} />
      {content === "" ? null : (
        <blockquote
          dir="auto"
          className="max-h-48 overflow-y-auto border-l-2 border-line pl-3 break-words whitespace-pre-wrap"
        >
          {content}
        </blockquote>
      )}
      {picture === null ? null : <ReportedPicture name={picture} alt={pictureAlt} />}
      <ContextLines label={reportQueueStrings.after} lines={after} />
      {isAlone ? <p className="text-sm text-muted">{reportQueueStrings.alone}</p> : null}
      {topics.length === 0 ? null : (
        <ul aria-label={reportQueueStrings.topics} className="flex flex-wrap gap-2">
          {topics.map((topic) => (
            <li key={topic} className="max-w-full">
              <Badge className="max-w-full break-words">
                <bdi>{topic}</bdi>
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function AuthorPicture({ author: { id, name, avatarUrl } }: { readonly author: Report["author"] }) {
  const { client } = useBackend();
  return <Avatar id={id} name={name} picture={profilePictureUrl(client, avatarUrl)} />;
}
