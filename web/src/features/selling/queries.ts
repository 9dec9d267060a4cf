import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { withModuleCompleted, type Course } from "@/features/courses/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryLaterMessage, tryAgain } from "@/lib/errors.ts";
import { isUuid } from "@/lib/uuid.ts";
import { toast } from "@/ui/toast.tsx";
import {
  completeBoughtLesson,
  fetchBoughtCourse,
  fetchPurchases,
  takeNewestBoughtVersion,
} from "./api/bought-courses.ts";
import { fetchGifts } from "./api/gifts.ts";
import { fetchMentorSales } from "./api/course-offers.ts";
import { fetchSale } from "./api/fetch-sale.ts";
import { sellingStrings } from "./strings.ts";

const sellingKey = "selling";
/** How often a payment that waits for the bank is looked up. Milliseconds. */
const waitingPollMs = 2000;

/** The public page of a course; null when it is not on sale. */
export function useSale(slug: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: [sellingKey, "sale", slug],
    queryFn: () => fetchSale(client, slug),
    retry: 2,
  });
}

/** Refetches the public page of a course. */
export function useRefetchSale(slug: string): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: [sellingKey, "sale", slug] });
}

/** What can be given, and what the reader gave; looked up again while a payment waits. */
export function useGifts() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [sellingKey, userId, "gifts"],
    queryFn: () => fetchGifts(client),
    enabled: userId !== "",
    refetchOnMount: "always",
    refetchInterval: ({ state }) =>
      state.data?.gifts.some((gift) => gift.state === "waiting") === true ? waitingPollMs : false,
    retry: 2,
  });
}

/** Refetches the gifts. */
export function useRefetchGifts(): () => void {
  const queries = useQueryClient();
  const userId = useUserId();
  return () => void queries.invalidateQueries({ queryKey: [sellingKey, userId, "gifts"] });
}

/** What the reader bought; looked up again while a payment waits. */
export function usePurchases() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [sellingKey, userId, "purchases"],
    queryFn: () => fetchPurchases(client),
    enabled: userId !== "",
    refetchOnMount: "always",
    refetchInterval: ({ state }) =>
      state.data?.some((purchase) => purchase.state === "waiting") === true ? waitingPollMs : false,
    retry: 2,
  });
}

const courseKey = (userId: string, courseId: string) => [sellingKey, userId, "course", courseId];

/** A bought course; null when the reader may not read it. */
export function useBoughtCourse(courseId: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: courseKey(userId, courseId),
    queryFn: async () => (isUuid(courseId) ? await fetchBoughtCourse(client, courseId) : null),
    retry: 2,
  });
}

/** Marks lessons of a bought course as completed. Failures are logged. */
export function useCompleteLesson(courseId: string) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (moduleId: string) => completeBoughtLesson(client, moduleId),
    onSuccess: (_nothing, moduleId) => {
      queries.setQueryData<Course | null>(courseKey(userId, courseId), (known) =>
        known ? withModuleCompleted(known, moduleId) : known,
      );
    },
    onError: (error) => console.error("The lesson was not marked as complete", error),
  });
}

/** Moves the reader to the newest version of a bought course. A failure is logged and said. */
export function useTakeNewestBoughtVersion(courseId: string) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: () => takeNewestBoughtVersion(client, courseId),
    onSuccess: () => queries.invalidateQueries({ queryKey: courseKey(userId, courseId) }),
    onError: (error) => {
      console.error("The newest version was not taken", error);
      toast.danger(`${sellingStrings.moveFailed} ${retryLaterMessage(error) ?? tryAgain}`);
    },
  });
}

/** What the mentor sells or can sell. */
export function useMentorSales() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [sellingKey, userId, "offers"],
    queryFn: () => fetchMentorSales(client),
    retry: 2,
  });
}
