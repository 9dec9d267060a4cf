import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { paths } from "@/domain/paths.ts";
import { systemClock } from "@/lib/clock.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { submissionStrings } from "../strings.ts";
import { SubmissionsLocked } from "../components/submission-feed.tsx";
import { SubmissionForm } from "../components/submission-form.tsx";

/** How long the success message is shown before the redirect. Milliseconds. */
const redirectAfterMs = 1500;

/** `/learning/create`: the form, and on success the way to the feed. */
export function NewSubmissionPage() {
  const navigate = useNavigate();
  const [created, setCreated] = useState(false);
  useEffect(() => {
    if (!created) return undefined;
    return systemClock.after(redirectAfterMs, () => void navigate(paths.submissions));
  }, [created, navigate]);
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-6">
      <div>
        <Button asChild variant="quiet" size="sm" className="-ml-3">
          <Link to={paths.submissions}>
            <ArrowLeft aria-hidden className="size-4" />
            All submissions
          </Link>
        </Button>
      </div>
      <PageHeader
        className="pb-0"
        title="New submission"
        intro="Share something other members can learn from. It counts towards your level."
      />
      <SubmissionsLocked />
      {created ? <Alert tone="good">{submissionStrings.created}</Alert> : null}
      {created ? null : <SubmissionForm onCreated={() => setCreated(true)} />}
    </div>
  );
}
