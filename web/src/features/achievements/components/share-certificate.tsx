import { Share2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "@/ui/button.tsx";
import { useAchievements } from "../queries.ts";
import { achievementStrings } from "../strings.ts";

// Asked for by few: it comes with the first press, and the course's page does not load it.
const ShareDialog = lazy(async () => ({
  default: (await import("./share-dialog.tsx")).ShareDialog,
}));

/** Shares one of one's own certificates, where it is seen; nothing while it is not known whether it is shared already. */
export function ShareCertificate({
  certificateId,
  course,
}: {
  readonly certificateId: string;
  readonly course: string;
}) {
  const { data } = useAchievements();
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  if (!data) return null;
  const code = data.shared.find(({ certificate_id: of }) => of === certificateId)?.code;
  return (
    <>
      <Button
        variant="secondary"
        aria-label={
          code === undefined
            ? achievementStrings.shareLabel(course)
            : achievementStrings.sharedLabel(course)
        }
        onClick={() => {
          setAsked(true);
          setOpen(true);
        }}
      >
        <Share2 aria-hidden className="size-4" />
        {code === undefined ? achievementStrings.share : achievementStrings.shared}
      </Button>
      {asked ? (
        <Suspense fallback={null}>
          <ShareDialog
            subject={open ? { certificateId, title: course } : null}
            code={code}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
