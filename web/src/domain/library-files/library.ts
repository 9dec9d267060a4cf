import type { Category } from "../categories.ts";

/** One article of a library, as read from its file. */
export interface ArticleFile {
  slug: string;
  title: string;
  excerpt: string;
  tags: string[];
  is_featured: boolean;
  display_order: number;
  /** Minutes. */
  estimated_read_time: number;
  /** Markdown. */
  content: string;
  /** Path of a picture beside the file; null for the drawn cover. */
  cover: string | null;
}

/** One lesson with its exercise. */
export interface ModuleFile {
  slug: string;
  title: string;
  /** From 1, without gaps. */
  module_order: number;
  /** Minutes of reading and exercise. */
  estimated_duration: number;
  video_url: string | null;
  /** Markdown. */
  content: string;
}

export interface CourseFile {
  slug: string;
  title: string;
  description: string;
  difficulty_level: string;
  /** Pounds; 0 is free. */
  price: number;
  is_featured: boolean;
  display_order: number;
  /** As that of an article. */
  cover: string | null;
  modules: ModuleFile[];
}

export interface SubcategoryFile {
  main_category: Category;
  slug: string;
  name: string;
  description: string;
  color: string;
  icon: string;
  /** Mentors read it whatever their level. */
  open_to_mentors: boolean;
  display_order: number;
  articles: ArticleFile[];
  courses: CourseFile[];
}

/** A whole library, in the order of its files. */
export type Library = SubcategoryFile[];

/** One problem in a file of a library. Lines count from 1. */
export interface LibraryIssue {
  file: string;
  line: number;
  message: string;
}

/** Adds one issue. */
export type ReportIssue = (line: number, message: string) => void;

/** `file:line: message`, as editors understand it. */
export function describeIssue({ file, line, message }: LibraryIssue): string {
  return `${file}:${line}: ${message}`;
}
