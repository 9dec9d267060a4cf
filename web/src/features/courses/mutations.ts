import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { toReadingSource } from "@/domain/reading-source.ts";
import { useInvalidateLibrary } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { pageBefore } from "@/lib/previous-page.ts";
import { retryLaterMessage, tryAgain } from "@/lib/errors.ts";
import { toast } from "@/ui/toast.tsx";
import { completeModule } from "./api/complete-module.ts";
import { enroll } from "./api/enroll.ts";
import { takeNewestVersion } from "./api/take-newest-version.ts";
import type { CourseAddress } from "./api/fetch-course.ts";
import { withModuleCompleted, type Course } from "./model/course.ts";
import { courseKey } from "./queries.ts";
import { courseStrings } from "./strings.ts";

/** Enrols in the course at an address and completes its modules. Failures are logged. */
export function useCourseActions(address: CourseAddress) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const invalidateLibrary = useInvalidateLibrary();
  const userId = useUserId();
  const { pathname, state } = useLocation();
  const [source] = useState(() => toReadingSource(state, pageBefore(pathname)));
  const enrolling = useMutation({
    mutationFn: () => enroll(client, userId, address.courseId, source),
    // Stays pending until the modules are there, because the button waits for them.
    onSuccess: invalidateLibrary,
    onError: (error) => console.error("The enrolment was not saved", error),
  });
  const completing = useMutation({
    mutationFn: (moduleId: string) => completeModule(client, userId, moduleId),
    onSuccess: (_nothing, moduleId) => {
      queries.setQueryData<Course | null>(courseKey(userId, address), (known) =>
        known ? withModuleCompleted(known, moduleId) : known,
      );
      // Not awaited: the page is already correct, and the next action must not wait.
      void invalidateLibrary();
    },
    onError: (error) => console.error("The module was not marked as complete", error),
  });
  const moving = useMutation({
    mutationFn: () => takeNewestVersion(client, address.courseId),
    onSuccess: invalidateLibrary,
    onError: (error) => {
      console.error("The newest version was not taken", error);
      toast.danger(`${courseStrings.moveFailed} ${retryLaterMessage(error) ?? tryAgain}`);
    },
  });
  return {
    moveOn: () => moving.mutateAsync().catch(() => {}),
    moving: moving.isPending,
    enroll: () => enrolling.mutate(),
    enrolling: enrolling.isPending,
    complete: (moduleId: string) => completing.mutate(moduleId),
    /** Id of the module that is being saved, else null. */
    completing: completing.isPending ? completing.variables : null,
  };
}
