import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { isItemId, libraryKey, useLibraryChange } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { completeModule } from "./api/complete-module.ts";
import { enroll } from "./api/enroll.ts";
import { selectCourse, type CourseAddress } from "./api/select-course.ts";
import { withModuleCompleted, type Course } from "./model/course.ts";

/** The course under an address, and what one does in it. */
export function useCourse(address: CourseAddress) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const announceChange = useLibraryChange();
  const userId = useUserId();
  const { category, slug, courseId } = address;
  const key = libraryKey(userId, "course", category, slug, courseId);
  const possible = isItemId(courseId);
  const query = useQuery({
    queryKey: key,
    queryFn: () => selectCourse(client, address),
    enabled: userId !== "" && possible,
    retry: 2,
  });
  const enrolling = useMutation({
    mutationFn: () => enroll(client, userId, courseId),
    /* The modules come with the next answer; the button waits for them. */
    onSuccess: announceChange,
    onError: (error) => console.error("The enrolment was not saved", error),
  });
  const completing = useMutation({
    mutationFn: (moduleId: string) => completeModule(client, userId, moduleId),
    onSuccess: (_nothing, moduleId) => {
      queries.setQueryData<Course | null>(key, (known) =>
        known ? withModuleCompleted(known, moduleId) : known,
      );
      /* Not waited for: the page is right already, and the next deed must not be held up. */
      void announceChange();
    },
    onError: (error) => console.error("The module was not marked as complete", error),
  });
  return {
    /** Undefined while it is on its way, null when there is none. */
    course: possible ? query.data : null,
    failed: possible && query.isError && query.data === undefined,
    enroll: () => enrolling.mutate(),
    enrolling: enrolling.isPending,
    complete: (moduleId: string) => completing.mutate(moduleId),
    /** Id of the module that is being saved; the others need not wait for it. */
    completing: completing.isPending ? completing.variables : null,
  };
}
