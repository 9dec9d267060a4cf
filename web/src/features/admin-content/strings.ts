import type { Shelf } from "@/domain/library-paths.ts";
import { adminSecondFactorDue, uniqueViolation } from "@/lib/error-codes.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

/** Why a change of content was not saved. */
export function describeSaveError(error: unknown): string {
  switch (toAppError(error).code) {
    case uniqueViolation:
      return "That address is already taken. Choose another one.";
    case "23514":
      return "One of the fields is too long, empty or not valid. Check them and save again.";
    case "FF430":
      return "It no longer exists. Close this panel and refresh the page.";
    case "FF002":
      return "Only administrators can change this.";
    case adminSecondFactorDue:
      return "Enter the code of your second factor first, on your account page.";
    case "FF511":
      return "Give a reason of at most 500 characters.";
    case "FF513":
      return "Another administrator has to do this for your own course.";
    case "FF858":
      return "Another administrator was first. The panel shows the sale as it is now.";
    default:
      return retryLaterMessage(error) ?? `Your change wasn't saved. ${tryAgain}`;
  }
}

export const contentStrings = {
  title: "Content",
  intro: "What members see. Every change is in the audit log.",
  parts: "Parts of the content",
  rooms: "Rooms",
  subcategories: "Subcategories",
  articles: "Articles",
  courses: "Courses",
  /** Said wherever something is hidden from members. */
  nothingIsTakenAway:
    "Nobody loses a read, a completion or a level, and you can bring it back at any time.",
  impossibleTitle: "A level becomes impossible to complete",
} as const;

export const roomContentStrings = {
  loadFailed: "We couldn't load the rooms",
  table: "Chat rooms",
  room: "Room",
  level: "Level",
  order: "Place",
  byName: "By name",
  participants: "In the room",
  status: "Status",
  open: "Open",
  closed: "Closed",
  emptyTitle: "No chat rooms",
  empty: "Rooms you create appear here and in members' lists.",
  newRoom: "New room",
  newRoomNote: "Members at its level see the room as soon as it is created.",
  address: "Address",
  addressHint:
    "Lowercase letters, digits and hyphens, such as book-club. It can't be changed later.",
  name: "Name",
  description: "Description",
  opensAt: "Opens at level",
  place: "Place among the rooms of its level",
  placeHint: "The smallest comes first. Rooms with the same place are listed by name.",
  create: "Create room",
  created: (name: string) => `${name} is open to members.`,
  save: "Save room",
  saved: (name: string) => `${name} is saved.`,
  reopen: "Open room again",
  reopened: (name: string) => `${name} is open again.`,
  close: "Close room",
  closeQuestion: (name: string) => `Close ${name}?`,
  closeText: "The room disappears for members at once. Its messages are kept.",
  closedDone: (name: string) => `${name} is closed.`,
  moveQuestion: (name: string) => `Move ${name} to a higher level?`,
  moveText: "Members below that level can no longer open the room.",
  move: "Move room",
} as const;

export const subcategoryContentStrings = {
  loadFailed: "We couldn't load the subcategories",
  table: "Subcategories",
  subcategory: "Subcategory",
  category: "Category",
  order: "Place",
  articles: "Articles",
  courses: "Courses",
  status: "Status",
  shown: "Shown",
  hidden: "Hidden",
  emptyTitle: "No subcategories",
  empty: "Import the library, or create the first one here.",
  newSubcategory: "New subcategory",
  newSubcategoryNote: "It starts without articles.",
  address: "Address",
  addressHint: "Lowercase letters, digits and hyphens. It can't be changed later.",
  name: "Name",
  description: "Description",
  colour: "Colour of its bar",
  icon: "Icon",
  place: "Place in its category",
  placeHint: "The smallest comes first.",
  create: "Create subcategory",
  created: (name: string) => `${name} is in the library.`,
  save: "Save subcategory",
  saved: (name: string) => `${name} is saved.`,
  show: "Show subcategory again",
  shownDone: (name: string) => `${name} is shown again.`,
  hide: "Hide subcategory",
  hideQuestion: (name: string) => `Hide ${name}?`,
  hideText: "Its articles and courses disappear for members at once.",
  hiddenDone: (name: string) => `${name} is hidden.`,
} as const;

/** Articles and courses. */
export const itemContentStrings = {
  loadFailed: (shelf: Shelf) => `We couldn't load the ${shelf}`,
  table: { articles: "Articles", courses: "Courses" },
  title: "Title",
  readers: "Done by",
  search: "Search titles",
  category: "Category",
  allCategories: "All categories",
  subcategory: "Subcategory",
  allSubcategories: "All subcategories",
  status: "Status",
  anyStatus: "Any status",
  published: "Published",
  withdrawn: "Withdrawn",
  featured: "Featured",
  emptyTitle: (shelf: Shelf) => `No ${shelf} found`,
  empty: (shelf: Shelf) =>
    `Try another word or fewer filters. New ${shelf} come with an import of the library.`,
  hiddenSubcategory: (name: string) => `${name} (hidden)`,
  author: "Author",
  doneBy: { articles: "Read by", courses: "Completed by" },
  added: "Added",
  address: "Address",
  notSeen: "Members don't see it while its subcategory is hidden.",
  publish: { articles: "Publish article", courses: "Publish course" },
  publishedDone: (title: string) => `${title} is published.`,
  withdraw: { articles: "Withdraw article", courses: "Withdraw course" },
  withdrawQuestion: (title: string) => `Withdraw ${title}?`,
  withdrawText: {
    articles: "The article disappears for members at once.",
    courses: "The course disappears for members at once.",
  },
  withdrawnDone: (title: string) => `${title} is withdrawn.`,
  feature: "Feature",
  featuredDone: (title: string) => `${title} is featured.`,
  stopFeaturing: "Stop featuring",
  notFeaturedDone: (title: string) => `${title} is no longer featured.`,
  featuredNote:
    "Featured ones come first on their page and carry a Featured badge. What you set here stays when the library is imported again.",
} as const;

/** The sale of a course beyond the membership. */
export const saleStrings = {
  heading: "Sale",
  loadFailed: "We couldn't load the sale of this course",
  open: "On sale at",
  paused: "Paused: nobody can buy it now.",
  off: "Its mentor has taken it off sale.",
  endedAt: "Sale ended",
  reason: "Reason",
  reasonMissing: "Say why. It is recorded with your name.",
  keep: "Keep things as they are",
  end: {
    button: "End sale",
    question: (title: string) => `End the sale of ${title}?`,
    description:
      "Nobody can buy the course any more, and its mentor can't put it back on sale until an administrator allows it. Buyers keep it; refunds are made under Money. Members still read it: withdraw the course to hide it.",
    reasonHint: "Its mentor reads this. It also stays in the audit log.",
    done: (title: string) => `${title} is no longer on sale.`,
  },
  allow: {
    button: "Allow sale",
    question: (title: string) => `Let ${title} be sold again?`,
    description: "Its mentor can put the course back on sale. It isn't on sale until they do.",
    reasonHint: "For the audit log. Its mentor doesn't see it.",
    done: (title: string) => `The mentor can sell ${title} again.`,
  },
} as const;
