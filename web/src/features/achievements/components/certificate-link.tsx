import { Link } from "react-router";
import { certificatePath } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { useAchievements } from "../queries.ts";
import { certificateStrings } from "../strings.ts";

/** Leads to the member's certificate of a course; nothing while there is none. */
export function CertificateLink({ courseId }: { readonly courseId: string }) {
  const { data } = useAchievements();
  const certificate = data?.certificates.find(
    ({ course_id: of, is_revoked: isRevoked }) => of === courseId && !isRevoked,
  );
  if (certificate === undefined) return null;
  return (
    <Button asChild variant="secondary">
      <Link to={certificatePath(certificate.id)}>{certificateStrings.see}</Link>
    </Button>
  );
}
