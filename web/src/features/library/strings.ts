/** Interface texts of the library that tests and the specification quote. */
export const libraryStrings = {
  noArticles: "No articles yet",
  noCourses: "No courses yet",
  articleNotFound: "Article not found",
  courseNotFound: "Course not found",
  subcategoryNotFound: "Subcategory not found",
  markAsRead: "Mark as Read",
  completeArticle: "Complete This Article",
  completed: "Completed",
  enrollFirst: "Enroll to access course modules",
} as const;
