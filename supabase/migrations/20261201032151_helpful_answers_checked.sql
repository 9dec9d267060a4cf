alter table "private"."content_questions"
  validate constraint "content_questions_helpful_check";
