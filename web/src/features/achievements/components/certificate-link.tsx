import { Award } from "lucide-react";
import { Link } from "react-router";
import { certificatePath } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { useAchievements } from "../queries.ts";
import { certificateStrings } from "../strings.ts";
import { ShareCertificate } from "./share-certificate.tsx";

/**
 * Leads to the member's certificate of a course, and shares it; nothing while there is none. It comes a moment after the last lesson is completed, and
 * has its place until then.
 */
export function CertificateLink({ courseId }: { readonly courseId: string }) {
  const { data, isFetching } = useAchievements();
  const certificate = data?.certificates.find(
    ({ course_id: of, is_revoked: isRevoked }) => of === courseId && !isRevoked,
  );
  if (certificate === undefined) return isFetching ? <Skeleton className="h-11 w-52" /> : null;
  return (
    <div className="flex flex-wrap gap-3">
      <Button asChild variant="accent">
        <Link to={certificatePath(certificate.id)}>
          <Award aria-hidden className="size-4" />
          {certificateStrings.see}
        </Link>
      </Button>
      <ShareCertificate certificateId={certificate.id} course={certificate.course} />
    </div>
  );
}
