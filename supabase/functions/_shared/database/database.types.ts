export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      article_opens: {
        Row: {
          article_id: string;
          last_opened_at: string | null;
          last_opened_on: string;
          opened_from: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          article_id: string;
          last_opened_at?: string | null;
          last_opened_on: string;
          opened_from?: string | null;
          user_id: string;
        };
        Update: {
          article_id?: string;
          last_opened_at?: string | null;
          last_opened_on?: string;
          opened_from?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "article_opens_article_id_fkey";
            columns: ["article_id"];
            isOneToOne: false;
            referencedRelation: "articles";
            referencedColumns: ["id"];
          },
        ];
      };
      article_reads: {
        Row: {
          article_id: string;
          created_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          article_id: string;
          created_at?: string;
          user_id: string;
        };
        Update: {
          article_id?: string;
          created_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "article_reads_article_id_fkey";
            columns: ["article_id"];
            isOneToOne: false;
            referencedRelation: "articles";
            referencedColumns: ["id"];
          },
        ];
      };
      articles: {
        Row: {
          author_id: string | null;
          content: string;
          created_at: string;
          display_order: number;
          estimated_read_time: number;
          excerpt: string;
          featured_image_url: string | null;
          from_files: boolean;
          id: string;
          is_featured: boolean;
          is_published: boolean;
          opened_from: string | null;
          rating_count: number;
          rating_sum: number;
          read_count: number;
          slug: string;
          subcategory_id: string;
          tags: string[];
          title: string;
        };
        ComputedFields: never;
        Insert: {
          author_id?: string | null;
          content?: string;
          created_at?: string;
          display_order?: number;
          estimated_read_time?: number;
          excerpt?: string;
          featured_image_url?: string | null;
          from_files?: boolean;
          id?: string;
          is_featured?: boolean;
          is_published?: boolean;
          opened_from?: string | null;
          rating_count?: number;
          rating_sum?: number;
          read_count?: number;
          slug: string;
          subcategory_id: string;
          tags?: string[];
          title: string;
        };
        Update: {
          author_id?: string | null;
          content?: string;
          created_at?: string;
          display_order?: number;
          estimated_read_time?: number;
          excerpt?: string;
          featured_image_url?: string | null;
          from_files?: boolean;
          id?: string;
          is_featured?: boolean;
          is_published?: boolean;
          opened_from?: string | null;
          rating_count?: number;
          rating_sum?: number;
          read_count?: number;
          slug?: string;
          subcategory_id?: string;
          tags?: string[];
          title?: string;
        };
        Relationships: [
          {
            foreignKeyName: "articles_author_id_fkey";
            columns: ["author_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "articles_subcategory_id_fkey";
            columns: ["subcategory_id"];
            isOneToOne: false;
            referencedRelation: "subcategories";
            referencedColumns: ["id"];
          },
        ];
      };
      billing_rules: {
        Row: {
          id: boolean;
          pause_months: number;
          payment_element: boolean;
          payment_grace_days: number;
          renewal_reminder_days: number;
          withdrawal_refund: string;
        };
        ComputedFields: never;
        Insert: {
          id?: boolean;
          pause_months?: number;
          payment_element?: boolean;
          payment_grace_days?: number;
          renewal_reminder_days?: number;
          withdrawal_refund?: string;
        };
        Update: {
          id?: boolean;
          pause_months?: number;
          payment_element?: boolean;
          payment_grace_days?: number;
          renewal_reminder_days?: number;
          withdrawal_refund?: string;
        };
        Relationships: [];
      };
      business_details: {
        Row: {
          address: string | null;
          company_number: string | null;
          id: boolean;
          legal_name: string | null;
          vat_number: string | null;
        };
        ComputedFields: never;
        Insert: {
          address?: string | null;
          company_number?: string | null;
          id?: boolean;
          legal_name?: string | null;
          vat_number?: string | null;
        };
        Update: {
          address?: string | null;
          company_number?: string | null;
          id?: boolean;
          legal_name?: string | null;
          vat_number?: string | null;
        };
        Relationships: [];
      };
      chat_messages: {
        Row: {
          changed_at: string;
          chat_room_id: string;
          content: string;
          created_at: string;
          deleted_at: string | null;
          edited_at: string | null;
          id: string;
          like_count: number;
          mentioned: string[] | null;
          message_type: string;
          parent_message_id: string | null;
          picture: string | null;
          picture_alt: string | null;
          picture_height: number | null;
          picture_width: number | null;
          reaction_counts: NonNullable<Json>;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          changed_at?: string;
          chat_room_id: string;
          content: string;
          created_at?: string;
          deleted_at?: string | null;
          edited_at?: string | null;
          id?: string;
          like_count?: number;
          mentioned?: string[] | null;
          message_type?: string;
          parent_message_id?: string | null;
          picture?: string | null;
          picture_alt?: string | null;
          picture_height?: number | null;
          picture_width?: number | null;
          reaction_counts?: NonNullable<Json>;
          user_id: string;
        };
        Update: {
          changed_at?: string;
          chat_room_id?: string;
          content?: string;
          created_at?: string;
          deleted_at?: string | null;
          edited_at?: string | null;
          id?: string;
          like_count?: number;
          mentioned?: string[] | null;
          message_type?: string;
          parent_message_id?: string | null;
          picture?: string | null;
          picture_alt?: string | null;
          picture_height?: number | null;
          picture_width?: number | null;
          reaction_counts?: NonNullable<Json>;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "chat_messages_chat_room_id_fkey";
            columns: ["chat_room_id"];
            isOneToOne: false;
            referencedRelation: "chat_rooms";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "chat_messages_parent_message_id_fkey";
            columns: ["parent_message_id"];
            isOneToOne: false;
            referencedRelation: "chat_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "chat_messages_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      chat_room_reads: {
        Row: {
          chat_room_id: string;
          last_read_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          chat_room_id: string;
          last_read_at: string;
          user_id: string;
        };
        Update: {
          chat_room_id?: string;
          last_read_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "chat_room_reads_chat_room_id_fkey";
            columns: ["chat_room_id"];
            isOneToOne: false;
            referencedRelation: "chat_rooms";
            referencedColumns: ["id"];
          },
        ];
      };
      chat_rooms: {
        Row: {
          description: string;
          display_order: number;
          id: string;
          is_active: boolean;
          min_level_required: number;
          name: string;
          participant_count: number;
        };
        ComputedFields: never;
        Insert: {
          description?: string;
          display_order?: number;
          id: string;
          is_active?: boolean;
          min_level_required: number;
          name: string;
          participant_count?: number;
        };
        Update: {
          description?: string;
          display_order?: number;
          id?: string;
          is_active?: boolean;
          min_level_required?: number;
          name?: string;
          participant_count?: number;
        };
        Relationships: [];
      };
      complimentary_memberships: {
        Row: {
          ended_at: string | null;
          ends_at: string | null;
          granted_at: string;
          id: string;
          plan_id: string;
          reason: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          ended_at?: string | null;
          ends_at?: string | null;
          granted_at?: string;
          id?: string;
          plan_id: string;
          reason: string;
          user_id: string;
        };
        Update: {
          ended_at?: string | null;
          ends_at?: string | null;
          granted_at?: string;
          id?: string;
          plan_id?: string;
          reason?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "complimentary_memberships_plan_id_fkey";
            columns: ["plan_id"];
            isOneToOne: false;
            referencedRelation: "plans";
            referencedColumns: ["id"];
          },
        ];
      };
      course_enrollments: {
        Row: {
          completed_at: string | null;
          course_id: string;
          course_version: number;
          created_at: string;
          enrolled_from: string | null;
          progress_percentage: number;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          completed_at?: string | null;
          course_id: string;
          course_version?: number;
          created_at?: string;
          enrolled_from?: string | null;
          progress_percentage?: number;
          user_id: string;
        };
        Update: {
          completed_at?: string | null;
          course_id?: string;
          course_version?: number;
          created_at?: string;
          enrolled_from?: string | null;
          progress_percentage?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "course_enrollments_course_id_fkey";
            columns: ["course_id"];
            isOneToOne: false;
            referencedRelation: "courses";
            referencedColumns: ["id"];
          },
        ];
      };
      course_modules: {
        Row: {
          content: string;
          course_id: string;
          estimated_duration: number;
          id: string;
          is_published: boolean;
          module_order: number;
          slug: string;
          title: string;
          video_url: string | null;
        };
        ComputedFields: never;
        Insert: {
          content?: string;
          course_id: string;
          estimated_duration?: number;
          id?: string;
          is_published?: boolean;
          module_order: number;
          slug: string;
          title: string;
          video_url?: string | null;
        };
        Update: {
          content?: string;
          course_id?: string;
          estimated_duration?: number;
          id?: string;
          is_published?: boolean;
          module_order?: number;
          slug?: string;
          title?: string;
          video_url?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "course_modules_course_id_fkey";
            columns: ["course_id"];
            isOneToOne: false;
            referencedRelation: "courses";
            referencedColumns: ["id"];
          },
        ];
      };
      courses: {
        Row: {
          created_at: string;
          description: string;
          difficulty_level: string;
          display_order: number;
          enrollment_count: number;
          estimated_duration: number;
          from_files: boolean;
          id: string;
          is_featured: boolean;
          is_free: boolean | null;
          is_published: boolean;
          mentor_id: string | null;
          module_count: number;
          price: number;
          rating_count: number;
          rating_sum: number;
          slug: string;
          subcategory_id: string;
          thumbnail_url: string | null;
          title: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          description?: string;
          difficulty_level?: string;
          display_order?: number;
          enrollment_count?: number;
          estimated_duration?: number;
          from_files?: boolean;
          id?: string;
          is_featured?: boolean;
          is_free?: never;
          is_published?: boolean;
          mentor_id?: string | null;
          module_count?: number;
          price?: number;
          rating_count?: number;
          rating_sum?: number;
          slug: string;
          subcategory_id: string;
          thumbnail_url?: string | null;
          title: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          description?: string;
          difficulty_level?: string;
          display_order?: number;
          enrollment_count?: number;
          estimated_duration?: number;
          from_files?: boolean;
          id?: string;
          is_featured?: boolean;
          is_free?: never;
          is_published?: boolean;
          mentor_id?: string | null;
          module_count?: number;
          price?: number;
          rating_count?: number;
          rating_sum?: number;
          slug?: string;
          subcategory_id?: string;
          thumbnail_url?: string | null;
          title?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "courses_mentor_id_fkey";
            columns: ["mentor_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "courses_subcategory_id_fkey";
            columns: ["subcategory_id"];
            isOneToOne: false;
            referencedRelation: "subcategories";
            referencedColumns: ["id"];
          },
        ];
      };
      digest_choices: {
        Row: {
          frequency: string;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          frequency: string;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          frequency?: string;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      direct_messages: {
        Row: {
          changed_at: string;
          content: string;
          conversation_id: string;
          created_at: string;
          deleted_at: string | null;
          edited_at: string | null;
          id: string;
          parent_message_id: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          changed_at?: string;
          content: string;
          conversation_id: string;
          created_at?: string;
          deleted_at?: string | null;
          edited_at?: string | null;
          id: string;
          parent_message_id?: string | null;
          user_id: string;
        };
        Update: {
          changed_at?: string;
          content?: string;
          conversation_id?: string;
          created_at?: string;
          deleted_at?: string | null;
          edited_at?: string | null;
          id?: string;
          parent_message_id?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "direct_messages_parent_message_id_fkey";
            columns: ["parent_message_id"];
            isOneToOne: false;
            referencedRelation: "direct_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "direct_messages_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      draft_comments: {
        Row: {
          author_id: string | null;
          comment: string;
          created_at: string;
          draft_id: string;
          id: string;
          quote: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          author_id?: string | null;
          comment: string;
          created_at?: string;
          draft_id: string;
          id?: string;
          quote?: string;
          version: number;
        };
        Update: {
          author_id?: string | null;
          comment?: string;
          created_at?: string;
          draft_id?: string;
          id?: string;
          quote?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "draft_comments_author_id_fkey";
            columns: ["author_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "draft_comments_draft_id_version_fkey";
            columns: ["draft_id", "version"];
            isOneToOne: false;
            referencedRelation: "draft_versions";
            referencedColumns: ["draft_id", "version"];
          },
        ];
      };
      draft_versions: {
        Row: {
          content: string;
          cover: string | null;
          difficulty_level: string;
          draft_id: string;
          excerpt: string;
          modules: NonNullable<Json>;
          price: number;
          saved_at: string;
          saved_by: string | null;
          slug: string;
          subcategory_id: string | null;
          tags: string[];
          title: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          content?: string;
          cover?: string | null;
          difficulty_level?: string;
          draft_id: string;
          excerpt?: string;
          modules?: NonNullable<Json>;
          price?: number;
          saved_at?: string;
          saved_by?: string | null;
          slug?: string;
          subcategory_id?: string | null;
          tags?: string[];
          title: string;
          version: number;
        };
        Update: {
          content?: string;
          cover?: string | null;
          difficulty_level?: string;
          draft_id?: string;
          excerpt?: string;
          modules?: NonNullable<Json>;
          price?: number;
          saved_at?: string;
          saved_by?: string | null;
          slug?: string;
          subcategory_id?: string | null;
          tags?: string[];
          title?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "draft_versions_draft_id_fkey";
            columns: ["draft_id"];
            isOneToOne: false;
            referencedRelation: "drafts";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "draft_versions_saved_by_fkey";
            columns: ["saved_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "draft_versions_subcategory_id_fkey";
            columns: ["subcategory_id"];
            isOneToOne: false;
            referencedRelation: "subcategories";
            referencedColumns: ["id"];
          },
        ];
      };
      drafts: {
        Row: {
          approved_by: string | null;
          article_id: string | null;
          course_id: string | null;
          created_at: string;
          id: string;
          kind: string;
          owner_id: string;
          publish_at: string | null;
          published_at: string | null;
          published_version: number | null;
          status: string;
          submitted_at: string | null;
          title: string;
          updated_at: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          approved_by?: string | null;
          article_id?: string | null;
          course_id?: string | null;
          created_at?: string;
          id?: string;
          kind: string;
          owner_id: string;
          publish_at?: string | null;
          published_at?: string | null;
          published_version?: number | null;
          status?: string;
          submitted_at?: string | null;
          title: string;
          updated_at?: string;
          version?: number;
        };
        Update: {
          approved_by?: string | null;
          article_id?: string | null;
          course_id?: string | null;
          created_at?: string;
          id?: string;
          kind?: string;
          owner_id?: string;
          publish_at?: string | null;
          published_at?: string | null;
          published_version?: number | null;
          status?: string;
          submitted_at?: string | null;
          title?: string;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "drafts_approved_by_fkey";
            columns: ["approved_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "drafts_article_id_fkey";
            columns: ["article_id"];
            isOneToOne: true;
            referencedRelation: "articles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "drafts_course_id_fkey";
            columns: ["course_id"];
            isOneToOne: true;
            referencedRelation: "courses";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "drafts_owner_id_fkey";
            columns: ["owner_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      grace_periods: {
        Row: {
          ends_at: string;
          subscription_id: string;
        };
        ComputedFields: never;
        Insert: {
          ends_at: string;
          subscription_id: string;
        };
        Update: {
          ends_at?: string;
          subscription_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "grace_periods_subscription_id_fkey";
            columns: ["subscription_id"];
            isOneToOne: true;
            referencedRelation: "stripe_subscriptions";
            referencedColumns: ["subscription_id"];
          },
        ];
      };
      invoices: {
        Row: {
          amount_due_pence: number;
          amount_paid_pence: number;
          amount_refunded_pence: number;
          attempt_count: number;
          card_brand: string | null;
          card_last4: string | null;
          currency: string;
          customer_id: string;
          hosted_url: string | null;
          invoice_id: string;
          issued_at: string;
          lines: NonNullable<Json>;
          next_attempt_at: string | null;
          number: string | null;
          paid_at: string | null;
          pdf_url: string | null;
          reason: string | null;
          receipt_url: string | null;
          starting_balance_pence: number;
          status: string;
          subscription_id: string | null;
          total_pence: number;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          amount_due_pence: number;
          amount_paid_pence: number;
          amount_refunded_pence?: number;
          attempt_count?: number;
          card_brand?: string | null;
          card_last4?: string | null;
          currency: string;
          customer_id: string;
          hosted_url?: string | null;
          invoice_id: string;
          issued_at: string;
          lines?: NonNullable<Json>;
          next_attempt_at?: string | null;
          number?: string | null;
          paid_at?: string | null;
          pdf_url?: string | null;
          reason?: string | null;
          receipt_url?: string | null;
          starting_balance_pence?: number;
          status: string;
          subscription_id?: string | null;
          total_pence: number;
          updated_at?: string;
        };
        Update: {
          amount_due_pence?: number;
          amount_paid_pence?: number;
          amount_refunded_pence?: number;
          attempt_count?: number;
          card_brand?: string | null;
          card_last4?: string | null;
          currency?: string;
          customer_id?: string;
          hosted_url?: string | null;
          invoice_id?: string;
          issued_at?: string;
          lines?: NonNullable<Json>;
          next_attempt_at?: string | null;
          number?: string | null;
          paid_at?: string | null;
          pdf_url?: string | null;
          reason?: string | null;
          receipt_url?: string | null;
          starting_balance_pence?: number;
          status?: string;
          subscription_id?: string | null;
          total_pence?: number;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: "invoices_customer_id_fkey";
            columns: ["customer_id"];
            isOneToOne: false;
            referencedRelation: "stripe_customers";
            referencedColumns: ["customer_id"];
          },
        ];
      };
      learning_submission_comments: {
        Row: {
          content: string;
          created_at: string;
          id: string;
          mentioned: string[] | null;
          submission_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          content: string;
          created_at?: string;
          id?: string;
          mentioned?: string[] | null;
          submission_id: string;
          user_id: string;
        };
        Update: {
          content?: string;
          created_at?: string;
          id?: string;
          mentioned?: string[] | null;
          submission_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "learning_submission_comments_submission_id_fkey";
            columns: ["submission_id"];
            isOneToOne: false;
            referencedRelation: "learning_submissions";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "learning_submission_comments_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      learning_submission_likes: {
        Row: {
          created_at: string;
          submission_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          submission_id: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          submission_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "learning_submission_likes_submission_id_fkey";
            columns: ["submission_id"];
            isOneToOne: false;
            referencedRelation: "learning_submissions";
            referencedColumns: ["id"];
          },
        ];
      };
      learning_submissions: {
        Row: {
          comment_count: number;
          content: string;
          created_at: string;
          edited_at: string | null;
          id: string;
          image_url: string | null;
          is_featured: boolean;
          like_count: number;
          mentioned: string[] | null;
          submission_type: string;
          title: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          comment_count?: number;
          content: string;
          created_at?: string;
          edited_at?: string | null;
          id?: string;
          image_url?: string | null;
          is_featured?: boolean;
          like_count?: number;
          mentioned?: string[] | null;
          submission_type: string;
          title: string;
          user_id: string;
        };
        Update: {
          comment_count?: number;
          content?: string;
          created_at?: string;
          edited_at?: string | null;
          id?: string;
          image_url?: string | null;
          is_featured?: boolean;
          like_count?: number;
          mentioned?: string[] | null;
          submission_type?: string;
          title?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "learning_submissions_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      legal_texts: {
        Row: {
          body: string;
          kind: string;
          published_at: string;
          summary: string | null;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          body: string;
          kind: string;
          published_at?: string;
          summary?: string | null;
          version: number;
        };
        Update: {
          body?: string;
          kind?: string;
          published_at?: string;
          summary?: string | null;
          version?: number;
        };
        Relationships: [];
      };
      level_completions: {
        Row: {
          completed_at: string;
          level: number;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          completed_at?: string;
          level: number;
          user_id: string;
        };
        Update: {
          completed_at?: string;
          level?: number;
          user_id?: string;
        };
        Relationships: [];
      };
      level_requirements: {
        Row: {
          category: string | null;
          kind: string;
          level: number;
          needed: number;
        };
        ComputedFields: never;
        Insert: {
          category?: string | null;
          kind: string;
          level: number;
          needed: number;
        };
        Update: {
          category?: string | null;
          kind?: string;
          level?: number;
          needed?: number;
        };
        Relationships: [];
      };
      membership_pauses: {
        Row: {
          begins_at: string;
          codes: NonNullable<Json>;
          confirmed_at: string | null;
          ended_at: string | null;
          ends_at: string | null;
          id: string;
          months: number | null;
          requested_at: string;
          resume_invoice_id: string | null;
          resume_tries: number;
          subscription_id: string;
        };
        ComputedFields: never;
        Insert: {
          begins_at: string;
          codes?: NonNullable<Json>;
          confirmed_at?: string | null;
          ended_at?: string | null;
          ends_at?: string | null;
          id?: string;
          months?: number | null;
          requested_at?: string;
          resume_invoice_id?: string | null;
          resume_tries?: number;
          subscription_id: string;
        };
        Update: {
          begins_at?: string;
          codes?: NonNullable<Json>;
          confirmed_at?: string | null;
          ended_at?: string | null;
          ends_at?: string | null;
          id?: string;
          months?: number | null;
          requested_at?: string;
          resume_invoice_id?: string | null;
          resume_tries?: number;
          subscription_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "membership_pauses_subscription_id_fkey";
            columns: ["subscription_id"];
            isOneToOne: false;
            referencedRelation: "stripe_subscriptions";
            referencedColumns: ["subscription_id"];
          },
        ];
      };
      message_choices: {
        Row: {
          accepts: string;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          accepts: string;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          accepts?: string;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      message_likes: {
        Row: {
          created_at: string;
          message_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          message_id: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          message_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "message_likes_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "chat_messages";
            referencedColumns: ["id"];
          },
        ];
      };
      message_reactions: {
        Row: {
          created_at: string;
          message_id: string;
          reaction: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          message_id: string;
          reaction: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          message_id?: string;
          reaction?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "message_reactions_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "chat_messages";
            referencedColumns: ["id"];
          },
        ];
      };
      module_completions: {
        Row: {
          created_at: string;
          module_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          module_id: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          module_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "module_completions_module_id_fkey";
            columns: ["module_id"];
            isOneToOne: false;
            referencedRelation: "course_modules";
            referencedColumns: ["id"];
          },
        ];
      };
      notification_preferences: {
        Row: {
          bell: boolean;
          email: boolean;
          kind: string;
          push: boolean;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          bell?: boolean;
          email?: boolean;
          kind: string;
          push?: boolean;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          bell?: boolean;
          email?: boolean;
          kind?: string;
          push?: boolean;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      notifications: {
        Row: {
          actor_id: string | null;
          created_at: string;
          detail: string | null;
          facts: Json | null;
          group_id: string | null;
          id: number;
          kind: string;
          read_at: string | null;
          subject_id: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          actor_id?: string | null;
          created_at?: string;
          detail?: string | null;
          facts?: Json | null;
          group_id?: string | null;
          id?: never;
          kind: string;
          read_at?: string | null;
          subject_id?: string | null;
          user_id: string;
        };
        Update: {
          actor_id?: string | null;
          created_at?: string;
          detail?: string | null;
          facts?: Json | null;
          group_id?: string | null;
          id?: never;
          kind?: string;
          read_at?: string | null;
          subject_id?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "notifications_actor_id_fkey";
            columns: ["actor_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "notifications_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      onboarding_progress: {
        Row: {
          completed_steps: number[];
          current_step: number;
          data: NonNullable<Json>;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          completed_steps?: number[];
          current_step?: number;
          data?: NonNullable<Json>;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          completed_steps?: number[];
          current_step?: number;
          data?: NonNullable<Json>;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      onboarding_responses: {
        Row: {
          answer: string | null;
          created_at: string;
          page_number: number;
          question: string;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          answer?: string | null;
          created_at?: string;
          page_number: number;
          question: string;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          answer?: string | null;
          created_at?: string;
          page_number?: number;
          question?: string;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      plans: {
        Row: {
          amount_pence: number;
          currency: string;
          id: string;
          interval: string;
          is_active: boolean;
          name: string;
          price_id: string;
          role: string;
          yearly_amount_pence: number | null;
          yearly_price_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          amount_pence: number;
          currency?: string;
          id: string;
          interval?: string;
          is_active?: boolean;
          name: string;
          price_id: string;
          role: string;
          yearly_amount_pence?: number | null;
          yearly_price_id?: string | null;
        };
        Update: {
          amount_pence?: number;
          currency?: string;
          id?: string;
          interval?: string;
          is_active?: boolean;
          name?: string;
          price_id?: string;
          role?: string;
          yearly_amount_pence?: number | null;
          yearly_price_id?: string | null;
        };
        Relationships: [];
      };
      profile_choices: {
        Row: {
          is_listed: boolean;
          shows_achievements: boolean;
          shows_submissions: boolean;
          topics: string[];
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          is_listed?: boolean;
          shows_achievements?: boolean;
          shows_submissions?: boolean;
          topics?: string[];
          updated_at?: string;
          user_id: string;
        };
        Update: {
          is_listed?: boolean;
          shows_achievements?: boolean;
          shows_submissions?: boolean;
          topics?: string[];
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      profiles: {
        Row: {
          avatar_url: string | null;
          bio: string | null;
          first_name: string | null;
          id: string;
          last_name: string | null;
          occupation: string | null;
          onboarding_complete: boolean;
          role: string;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          avatar_url?: string | null;
          bio?: string | null;
          first_name?: string | null;
          id: string;
          last_name?: string | null;
          occupation?: string | null;
          onboarding_complete?: boolean;
          role?: string;
          updated_at?: string;
        };
        Update: {
          avatar_url?: string | null;
          bio?: string | null;
          first_name?: string | null;
          id?: string;
          last_name?: string | null;
          occupation?: string | null;
          onboarding_complete?: boolean;
          role?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      push_subscriptions: {
        Row: {
          auth_key: string;
          created_at: string;
          endpoint: string;
          id: string;
          p256dh: string;
          session_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          auth_key: string;
          created_at?: string;
          endpoint: string;
          id?: string;
          p256dh: string;
          session_id: string;
          user_id: string;
        };
        Update: {
          auth_key?: string;
          created_at?: string;
          endpoint?: string;
          id?: string;
          p256dh?: string;
          session_id?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      stripe_customers: {
        Row: {
          created_at: string;
          customer_id: string;
          deleted_at: string | null;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          customer_id: string;
          deleted_at?: string | null;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          customer_id?: string;
          deleted_at?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      stripe_subscriptions: {
        Row: {
          cancel_at_period_end: boolean;
          created_at: string;
          current_period_end: number | null;
          current_period_start: number | null;
          customer_id: string;
          deleted_at: string | null;
          hold: string | null;
          id: number;
          payment_method_brand: string | null;
          payment_method_expires: string | null;
          payment_method_last4: string | null;
          pending_change_id: string | null;
          pending_from: number | null;
          pending_price_id: string | null;
          price_id: string | null;
          status: string;
          subscription_id: string | null;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          cancel_at_period_end?: boolean;
          created_at?: string;
          current_period_end?: number | null;
          current_period_start?: number | null;
          customer_id: string;
          deleted_at?: string | null;
          hold?: string | null;
          id?: never;
          payment_method_brand?: string | null;
          payment_method_expires?: string | null;
          payment_method_last4?: string | null;
          pending_change_id?: string | null;
          pending_from?: number | null;
          pending_price_id?: string | null;
          price_id?: string | null;
          status?: string;
          subscription_id?: string | null;
          updated_at?: string;
        };
        Update: {
          cancel_at_period_end?: boolean;
          created_at?: string;
          current_period_end?: number | null;
          current_period_start?: number | null;
          customer_id?: string;
          deleted_at?: string | null;
          hold?: string | null;
          id?: never;
          payment_method_brand?: string | null;
          payment_method_expires?: string | null;
          payment_method_last4?: string | null;
          pending_change_id?: string | null;
          pending_from?: number | null;
          pending_price_id?: string | null;
          price_id?: string | null;
          status?: string;
          subscription_id?: string | null;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: "stripe_subscriptions_customer_id_fkey";
            columns: ["customer_id"];
            isOneToOne: false;
            referencedRelation: "stripe_customers";
            referencedColumns: ["customer_id"];
          },
        ];
      };
      subcategories: {
        Row: {
          color: string;
          description: string;
          display_order: number;
          icon: string;
          id: string;
          is_active: boolean;
          main_category: string;
          name: string;
          open_to_mentors: boolean;
          slug: string;
        };
        ComputedFields: never;
        Insert: {
          color?: string;
          description?: string;
          display_order?: number;
          icon?: string;
          id?: string;
          is_active?: boolean;
          main_category: string;
          name: string;
          open_to_mentors?: boolean;
          slug: string;
        };
        Update: {
          color?: string;
          description?: string;
          display_order?: number;
          icon?: string;
          id?: string;
          is_active?: boolean;
          main_category?: string;
          name?: string;
          open_to_mentors?: boolean;
          slug?: string;
        };
        Relationships: [];
      };
      submission_consents: {
        Row: {
          agreed_at: string;
          submission_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          agreed_at?: string;
          submission_id: string;
          user_id: string;
        };
        Update: {
          agreed_at?: string;
          submission_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "submission_consents_submission_id_fkey";
            columns: ["submission_id"];
            isOneToOne: true;
            referencedRelation: "learning_submissions";
            referencedColumns: ["id"];
          },
        ];
      };
      user_levels: {
        Row: {
          current_level: number;
          unlocked_levels: number[];
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          current_level?: number;
          unlocked_levels?: number[];
          updated_at?: string;
          user_id: string;
        };
        Update: {
          current_level?: number;
          unlocked_levels?: number[];
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      user_progress: {
        Row: {
          articles_read_by_category: NonNullable<Json>;
          chat_rooms_opened: string[];
          courses_completed_by_category: NonNullable<Json>;
          current_level: number;
          learning_submissions: number;
          level_completed_at: string | null;
          message_engagements: number;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          articles_read_by_category?: NonNullable<Json>;
          chat_rooms_opened?: string[];
          courses_completed_by_category?: NonNullable<Json>;
          current_level?: number;
          learning_submissions?: number;
          level_completed_at?: string | null;
          message_engagements?: number;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          articles_read_by_category?: NonNullable<Json>;
          chat_rooms_opened?: string[];
          courses_completed_by_category?: NonNullable<Json>;
          current_level?: number;
          learning_submissions?: number;
          level_completed_at?: string | null;
          message_engagements?: number;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      user_verifications: {
        Row: {
          attempts_reset_at: string | null;
          document_type: string;
          document_url: string;
          id: string;
          rejected_reason: string | null;
          reviewed_at: string | null;
          status: string;
          submitted_at: string;
          user_id: string;
          verified_at: string | null;
        };
        ComputedFields: never;
        Insert: {
          attempts_reset_at?: string | null;
          document_type: string;
          document_url: string;
          id?: string;
          rejected_reason?: string | null;
          reviewed_at?: string | null;
          status?: string;
          submitted_at?: string;
          user_id: string;
          verified_at?: string | null;
        };
        Update: {
          attempts_reset_at?: string | null;
          document_type?: string;
          document_url?: string;
          id?: string;
          rejected_reason?: string | null;
          reviewed_at?: string | null;
          status?: string;
          submitted_at?: string;
          user_id?: string;
          verified_at?: string | null;
        };
        Relationships: [];
      };
      vat_settings: {
        Row: {
          id: number;
          mode: string;
          rate_basis_points: number;
          since: string;
        };
        ComputedFields: never;
        Insert: {
          id?: never;
          mode: string;
          rate_basis_points: number;
          since?: string;
        };
        Update: {
          id?: never;
          mode?: string;
          rate_basis_points?: number;
          since?: string;
        };
        Relationships: [];
      };
    };
    Views: {
      [_ in never]: never;
    };
    Functions: {
      add_member_note: { Args: { member: string; note: string }; Returns: undefined };
      admin_audit_money: {
        Args: { action: string; admin: string; detail: Json; subject: string };
        Returns: undefined;
      };
      admin_begin_payment_retry: { Args: { invoice: string }; Returns: Json };
      admin_begin_refund: {
        Args: { amount_pence: number; payment: string; reason: string; request: string };
        Returns: Json;
      };
      admin_begin_stop_renewal: { Args: { member: string; reason: string }; Returns: string };
      admin_clear_failed_event: { Args: { event: string; reason: string }; Returns: undefined };
      admin_complimentary_memberships: {
        Args: Record<PropertyKey, never>;
        Returns: {
          email: string;
          ended_at: string;
          ends_at: string;
          first_name: string;
          granted_at: string;
          id: string;
          last_name: string;
          plan_id: string;
          plan_name: string;
          reason: string;
          user_id: string;
        }[];
      };
      admin_deactivate_trial_code: { Args: { code: string; reason: string }; Returns: undefined };
      admin_disputes: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount_pence: number;
          currency: string;
          dispute_id: string;
          due_at: string;
          email: string;
          first_name: string;
          happened_at: string;
          has_access: boolean;
          hold: string;
          invoice_number: string;
          last_name: string;
          payment_id: string;
          reason: string;
          status: string;
          user_id: string;
        }[];
      };
      admin_export_payments: { Args: { since: string; until: string }; Returns: Json };
      admin_failed_event: {
        Args: { event: string };
        Returns: {
          attempts: number;
          event_id: string;
          event_type: string;
          first_failed_at: string;
          last_error: string;
          last_failed_at: string;
        }[];
      };
      admin_failed_events: {
        Args: Record<PropertyKey, never>;
        Returns: {
          attempts: number;
          event_id: string;
          event_type: string;
          first_failed_at: string;
          last_error: string;
          last_failed_at: string;
        }[];
      };
      admin_failed_payments: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount_pence: number;
          attempts: number;
          card_last4: string;
          currency: string;
          email: string;
          failure_code: string;
          first_name: string;
          invoice_id: string;
          issued_at: string;
          last_name: string;
          membership: string;
          next_attempt_at: string;
          number: string;
          user_id: string;
        }[];
      };
      admin_grant_complimentary: {
        Args: { ends_at: string; member_email: string; plan: string; reason: string };
        Returns: string;
      };
      admin_level_supply: {
        Args: Record<PropertyKey, never>;
        Returns: {
          available: number;
          category: string;
          kind: string;
          level: number;
          needed: number;
        }[];
      };
      admin_library_items: {
        Args: {
          category?: string;
          page_size?: number;
          search?: string;
          shelf: string;
          skip?: number;
          status?: string;
          subcategory?: string;
        };
        Returns: {
          author_name: string;
          created_at: string;
          id: string;
          is_featured: boolean;
          is_published: boolean;
          main_category: string;
          readers: number;
          slug: string;
          subcategory_id: string;
          subcategory_is_active: boolean;
          subcategory_name: string;
          title: string;
        }[];
      };
      admin_mark_payout: {
        Args: { affiliate: string; amount_pence: number; reference: string };
        Returns: number;
      };
      admin_money_by_month: {
        Args: { months?: number };
        Returns: {
          charged_pence: number;
          charges: number;
          currency: string;
          dispute_fees_pence: number;
          disputed_pence: number;
          disputes: number;
          fees_pence: number;
          left_pence: number;
          month: string;
          net_pence: number;
          other_pence: number;
          paid_out_pence: number;
          payouts: number;
          refunded_pence: number;
          refunds: number;
          unread: number;
          vat_pence: number;
        }[];
      };
      admin_money_figures: {
        Args: Record<PropertyKey, never>;
        Returns: {
          complimentary: number;
          failed_events: number;
          open_disputes: number;
          refunded_pence: number;
          revenue_pence: number;
          vat_pence: number;
        }[];
      };
      admin_money_trend: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_overview: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_payments: {
        Args: {
          before_id?: string;
          before_time?: string;
          page_size?: number;
          search?: string;
          since?: string;
          state?: string;
          until?: string;
        };
        Returns: {
          amount_pence: number;
          card_brand: string;
          card_last4: string;
          currency: string;
          email: string;
          first_name: string;
          invoice_number: string;
          invoice_reason: string;
          last_name: string;
          paid_at: string;
          payment_id: string;
          refunded_pence: number;
          state: string;
          user_id: string;
        }[];
      };
      admin_payouts_due: {
        Args: Record<PropertyKey, never>;
        Returns: {
          affiliate_id: string;
          email: string;
          least_pence: number;
          name: string;
          paid_pence: number;
          payable_pence: number;
          pending_pence: number;
          user_id: string;
        }[];
      };
      admin_queues: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_refund_effect: {
        Args: { payment: string };
        Returns: {
          ends: string;
          ends_at: string;
          title: string;
        }[];
      };
      admin_refunds: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount_pence: number;
          currency: string;
          email: string;
          first_name: string;
          happened_at: string;
          invoice_number: string;
          last_name: string;
          payment_id: string;
          reason: string;
          refund_id: string;
          status: string;
          user_id: string;
        }[];
      };
      admin_remove_picture: { Args: { member: string; reason: string }; Returns: string };
      admin_require_verified: { Args: Record<PropertyKey, never>; Returns: string };
      admin_revoke_complimentary: {
        Args: { membership_id: string; reason: string };
        Returns: undefined;
      };
      admin_rooms: {
        Args: Record<PropertyKey, never>;
        Returns: {
          description: string;
          display_order: number;
          id: string;
          is_active: boolean;
          min_level_required: number;
          name: string;
          participant_count: number;
        }[];
      };
      admin_send_payment_link: { Args: { invoice: string }; Returns: boolean };
      admin_subcategories: {
        Args: Record<PropertyKey, never>;
        Returns: {
          article_count: number;
          color: string;
          course_count: number;
          description: string;
          display_order: number;
          icon: string;
          id: string;
          is_active: boolean;
          main_category: string;
          name: string;
          slug: string;
        }[];
      };
      admin_trial_codes: {
        Args: Record<PropertyKey, never>;
        Returns: {
          code: string;
          created_at: string;
          days: number;
          expires_at: string;
          is_active: boolean;
          max_redemptions: number;
          plan_id: string;
          redemptions: number;
        }[];
      };
      admin_unfinished_refunds: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount_pence: number;
          currency: string;
          email: string;
          first_name: string;
          last_name: string;
          payment_id: string;
          reason: string;
          request_id: string;
          requested_at: string;
          state: string;
          user_id: string;
        }[];
      };
      allow_course_sale: { Args: { course: string; reason: string }; Returns: undefined };
      answer_question: { Args: { answer: string; question_id: string }; Returns: undefined };
      answer_witness: { Args: { accepts: boolean; pact_id: string }; Returns: undefined };
      appeal_guarantee_claim: { Args: { appeal: string }; Returns: Json };
      archive_draft: {
        Args: { archived?: boolean; draft_id: string; expected_version: number };
        Returns: undefined;
      };
      ask_question: {
        Args: { article_id?: string; module_id?: string; question: string };
        Returns: string;
      };
      ask_witnesses: { Args: { pact_id: string; witnesses: string[] }; Returns: undefined };
      audit_choices: { Args: Record<PropertyKey, never>; Returns: Json };
      audit_page: {
        Args: {
          about?: string;
          action?: string;
          actor?: string;
          after_id?: number;
          by_system?: boolean;
          page_size?: number;
          since?: string;
          until?: string;
        };
        Returns: Database["public"]["CompositeTypes"]["audit_entry"][];
        SetofOptions: {
          from: "*";
          to: "audit_entry";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      billing_abandon_attempts: { Args: { member: string }; Returns: undefined };
      billing_accept_terms: { Args: { member: string; version: number }; Returns: boolean };
      billing_add_plan_price: {
        Args: { admin: string; price: string; sale: Json };
        Returns: undefined;
      };
      billing_apply_charge: { Args: { snapshot: Json; ticket: number }; Returns: string };
      billing_apply_invoice: { Args: { snapshot: Json; ticket: number }; Returns: string };
      billing_apply_subscription: {
        Args: { event?: string; event_type?: string; snapshot: Json; ticket: number };
        Returns: string;
      };
      billing_audit: {
        Args: { action: string; customer: string; detail: Json };
        Returns: undefined;
      };
      billing_balance_read_from: { Args: Record<PropertyKey, never>; Returns: number };
      billing_begin_claim_refund: {
        Args: { admin: string; claim_id: string; payment: string };
        Returns: Json;
      };
      billing_begin_course_purchase: {
        Args: { expected_pence: number; joining?: string; member: string; slug: string };
        Returns: Json;
      };
      billing_begin_gift: {
        Args: {
          expected_pence: number;
          joining?: string;
          member: string;
          months: number;
          plan: string;
          request: string;
        };
        Returns: Json;
      };
      billing_begin_pause: { Args: { member: string; months: number }; Returns: Json };
      billing_begin_purchase: {
        Args: { joining?: string; member: string; price: string };
        Returns: Json;
      };
      billing_begin_withdrawal: { Args: { member: string; purchase?: string }; Returns: Json };
      billing_catalogue: { Args: Record<PropertyKey, never>; Returns: Json };
      billing_claim_renewal_stopped: {
        Args: { admin: string; claim_id: string };
        Returns: undefined;
      };
      billing_claim_settlement: { Args: { claim_id: string }; Returns: Json };
      billing_claims_to_settle: { Args: Record<PropertyKey, never>; Returns: string[] };
      billing_clear_failure: { Args: { event: string }; Returns: undefined };
      billing_close_attempts: { Args: { customer: string }; Returns: undefined };
      billing_create_trial_code: {
        Args: {
          admin: string;
          code: string;
          days: number;
          expires_at: string;
          max_redemptions: number;
          plan: string;
          reason: string;
        };
        Returns: string;
      };
      billing_customer: { Args: { member: string }; Returns: Json };
      billing_customers_to_delete: { Args: Record<PropertyKey, never>; Returns: string[] };
      billing_drop_customer: {
        Args: { customer: string; event?: string; event_type?: string };
        Returns: boolean;
      };
      billing_end_attempt: { Args: { attempt: string; outcome: string }; Returns: undefined };
      billing_end_course_purchase: {
        Args: { outcome: string; purchase: string };
        Returns: undefined;
      };
      billing_end_gift: { Args: { outcome: string; purchase: string }; Returns: undefined };
      billing_end_refund: {
        Args: { admin: string; detail: string; outcome: string; refund: string; request: string };
        Returns: undefined;
      };
      billing_end_withdrawal: { Args: { member: string; purchase?: string }; Returns: undefined };
      billing_events_read_from: { Args: Record<PropertyKey, never>; Returns: number };
      billing_flag: { Args: { customer: string; detail: Json; reason: string }; Returns: boolean };
      billing_forget_departed: { Args: { customer: string }; Returns: undefined };
      billing_keep_balance: { Args: { movements: Json; read_until: number }; Returns: undefined };
      billing_keep_event_reading: {
        Args: { is_present: boolean; read_until: number; seen: Json };
        Returns: undefined;
      };
      billing_known_charges: { Args: { charges: string[] }; Returns: Json };
      billing_known_invoices: { Args: { invoices: string[] }; Returns: Json };
      billing_lost_payments: { Args: { subscription: string }; Returns: string[] };
      billing_next_ticket: { Args: { event?: string }; Returns: number };
      billing_note_failure: {
        Args: { error: string; event: string; event_type: string };
        Returns: undefined;
      };
      billing_note_resume: {
        Args: { invoice?: string; pause: string; tries: number };
        Returns: undefined;
      };
      billing_open_course_purchases: { Args: { member: string }; Returns: Json };
      billing_open_gifts: { Args: { member: string }; Returns: Json };
      billing_open_pause: { Args: { subscription: string }; Returns: Json };
      billing_open_withdrawals: {
        Args: Record<PropertyKey, never>;
        Returns: {
          member: string;
          purchase: string;
        }[];
      };
      billing_owed_refunds: { Args: { member: string }; Returns: Json };
      billing_own_purchases: { Args: { subscriptions: string[] }; Returns: string[] };
      billing_pauses_due: { Args: Record<PropertyKey, never>; Returns: Json };
      billing_plan_change_quote: { Args: { member: string; quote: string }; Returns: Json };
      billing_price_before_upgrade: {
        Args: { latest_invoice: string; price: string; subscription: string };
        Returns: string;
      };
      billing_purge: { Args: Record<PropertyKey, never>; Returns: undefined };
      billing_quote_plan_change: { Args: { member: string; quote: Json }; Returns: string };
      billing_record_cancellation: {
        Args: { comment: string; member: string; reason: string; subscription: string };
        Returns: undefined;
      };
      billing_record_course_payment: {
        Args: { payment_intent: string; purchase: string };
        Returns: boolean;
      };
      billing_record_customer: { Args: { customer: string; member: string }; Returns: string };
      billing_record_gift_payment: {
        Args: { payment_intent: string; purchase: string };
        Returns: boolean;
      };
      billing_record_subscription: {
        Args: { attempt: string; subscription: string };
        Returns: boolean;
      };
      billing_record_tax_rate: {
        Args: { rate_basis_points: number; tax_rate: string };
        Returns: string;
      };
      billing_restore_customer: { Args: { customer: string }; Returns: boolean };
      billing_settle_pause: {
        Args: { codes?: Json; is_paused: boolean; member: string; pause: string };
        Returns: undefined;
      };
      billing_settle_refund: {
        Args: { detail: string; outcome: string; payment: string; refund: string; request: string };
        Returns: undefined;
      };
      billing_take_course_purchases: { Args: Record<PropertyKey, never>; Returns: Json };
      billing_take_dropped: { Args: { batch: number; everybody: boolean }; Returns: string[] };
      billing_take_due: {
        Args: { all_customers?: boolean; batch?: number };
        Returns: {
          customer_id: string;
          fresh_attempts: Json;
        }[];
      };
      billing_take_gifts: { Args: Record<PropertyKey, never>; Returns: Json };
      billing_take_trial_card: { Args: { fingerprint: string; member: string }; Returns: boolean };
      billing_trial_code: {
        Args: { given: string; member: string; price: string; redeem: boolean };
        Returns: Json;
      };
      billing_unread_events: { Args: { events: string[] }; Returns: string[] };
      billing_unsettled_refunds: {
        Args: Record<PropertyKey, never>;
        Returns: {
          payment_id: string;
          request_id: string;
        }[];
      };
      billing_vat: { Args: Record<PropertyKey, never>; Returns: Json };
      block_member: { Args: { member_id: string }; Returns: undefined };
      bought_course: { Args: { course: string }; Returns: Json };
      category_home: { Args: { category: string; shelf: string }; Returns: Json };
      chat_room_overview: {
        Args: Record<PropertyKey, never>;
        Returns: {
          description: string;
          faces: Json;
          id: string;
          last_author: string;
          last_author_id: string;
          last_message: string;
          last_message_at: string;
          min_level_required: number;
          name: string;
          participant_count: number;
          unread_count: number;
        }[];
      };
      claim_email: {
        Args: { lease?: string };
        Returns: {
          address: string;
          claim: string;
          data: Json;
          first_name: string;
          id: string;
          kind: string;
          message_id: string;
          template: string;
          texts: Json;
          user_id: string;
        }[];
      };
      claim_pushes: {
        Args: { batch_size?: number; lease?: string };
        Returns: {
          auth_key: string;
          claim: string;
          endpoint: string;
          line: Json;
          notification_id: number;
          p256dh: string;
          subscription_id: string;
        }[];
      };
      claim_referral: { Args: { visit: string }; Returns: boolean };
      close_collaboration_post: { Args: { post_id: string }; Returns: undefined };
      close_pact: {
        Args: {
          content: string;
          image_url?: string;
          mentioned?: string[];
          outcome: string;
          outcome_id: string;
          pact_id: string;
          title: string;
        };
        Returns: undefined;
      };
      collaboration_page: {
        Args: {
          after_id?: string;
          kind?: string;
          level?: number;
          page_size?: number;
          search?: string;
          topic?: string;
        };
        Returns: Json[];
      };
      complete_bought_lesson: { Args: { module: string }; Returns: undefined };
      content_pictures_to_purge: { Args: { after?: string; batch?: number }; Returns: string[] };
      content_sale: { Args: { course: string }; Returns: Json };
      count_content_days: { Args: Record<PropertyKey, never>; Returns: number };
      course_films_to_purge: { Args: { after?: string; batch?: number }; Returns: string[] };
      course_offer: { Args: { slug: string }; Returns: Json };
      course_syllabus: {
        Args: { course_id: string };
        Returns: {
          minutes: number;
          title: string;
        }[];
      };
      courses_on_sale: { Args: Record<PropertyKey, never>; Returns: Json };
      create_draft: { Args: { fields?: Json; kind: string }; Returns: string };
      create_room: {
        Args: {
          description?: string;
          display_order?: number;
          min_level_required: number;
          name: string;
          room_id: string;
        };
        Returns: undefined;
      };
      create_subcategory: {
        Args: {
          color?: string;
          description?: string;
          display_order?: number;
          icon?: string;
          main_category: string;
          name: string;
          slug: string;
        };
        Returns: string;
      };
      dashboard_figures: {
        Args: Record<PropertyKey, never>;
        Returns: {
          affiliate_links: number;
          effective_level: number;
          lessons_completed: number;
          level: number;
          likes_received: number;
          member_since: string;
          onboarding_complete: boolean;
          profits_pence: number;
        }[];
      };
      decide_flagged_verification: {
        Args: { decision: string; member: string; reason: string };
        Returns: undefined;
      };
      decide_guarantee_claim: {
        Args: { claim_id: string; is_granted: boolean; reason: string };
        Returns: undefined;
      };
      decrement_participant_count: { Args: { room_id: string }; Returns: undefined };
      delete_comment: { Args: { comment_id: string; explanation?: string }; Returns: undefined };
      delete_direct_message: { Args: { message_id: string }; Returns: undefined };
      delete_message: { Args: { explanation?: string; message_id: string }; Returns: undefined };
      delete_question: { Args: { question_id: string }; Returns: undefined };
      delete_rating: { Args: { article_id?: string; course_id?: string }; Returns: undefined };
      delete_submission: {
        Args: { explanation?: string; submission_id: string };
        Returns: undefined;
      };
      direct_conversation: { Args: { id: string }; Returns: Json };
      dispute_queue: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount: number;
          currency: string;
          dispute_id: string;
          email: string;
          first_name: string;
          last_name: string;
          opened_at: string;
          reason: string;
          respond_by: string;
          status: string;
          user_id: string;
        }[];
      };
      edit_content_item: {
        Args: { is_featured?: boolean; is_published?: boolean; item_id: string; shelf: string };
        Returns: undefined;
      };
      edit_direct_message: {
        Args: { message_id: string; new_content: string };
        Returns: undefined;
      };
      edit_message: {
        Args: { mentioned?: string[]; message_id: string; new_content: string };
        Returns: undefined;
      };
      edit_room: {
        Args: {
          description?: string;
          display_order?: number;
          is_active?: boolean;
          min_level_required?: number;
          name?: string;
          room_id: string;
        };
        Returns: undefined;
      };
      edit_subcategory: {
        Args: {
          color?: string;
          description?: string;
          display_order?: number;
          icon?: string;
          is_active?: boolean;
          name?: string;
          subcategory_id: string;
        };
        Returns: undefined;
      };
      edit_submission: {
        Args: { content: string; mentioned?: string[]; submission_id: string; title: string };
        Returns: undefined;
      };
      effective_level: { Args: Record<PropertyKey, never>; Returns: number };
      email_text_overview: {
        Args: Record<PropertyKey, never>;
        Returns: {
          key: string;
          placeholders: string[];
          template: string;
          text: string;
        }[];
      };
      end_complimentary_memberships: { Args: Record<PropertyKey, never>; Returns: number };
      end_course_sale: { Args: { course: string; reason: string }; Returns: undefined };
      end_session: { Args: { session_id: string }; Returns: boolean };
      enforce_function_rate_limit: { Args: { action: string; member: string }; Returns: undefined };
      engagement_rank: {
        Args: Record<PropertyKey, never>;
        Returns: {
          engagements: number;
          label: string;
          members: number;
          percentile: number;
        }[];
      };
      enqueue_email: {
        Args: { cause_key: string; data?: Json; template: string; user_id: string };
        Returns: boolean;
      };
      enrolled_course_version: { Args: { course_id: string }; Returns: Json };
      expire_room_leases: { Args: Record<PropertyKey, never>; Returns: number };
      export_audit_log: {
        Args: {
          about?: string;
          action?: string;
          actor?: string;
          by_system?: boolean;
          since?: string;
          until?: string;
        };
        Returns: Json;
      };
      export_my_data: { Args: Record<PropertyKey, never>; Returns: Json };
      export_my_versions: {
        Args: { after_id?: string; after_version?: number; kind: string };
        Returns: Json;
      };
      export_studio: { Args: Record<PropertyKey, never>; Returns: Json };
      feature_submission: {
        Args: { featured: boolean; submission_id: string };
        Returns: undefined;
      };
      file_guarantee_claim: { Args: { monthly_pence: number; statement: string }; Returns: Json };
      flagged_accounts: {
        Args: Record<PropertyKey, never>;
        Returns: {
          closed_at: string;
          email: string;
          first_name: string;
          flagged_at: string;
          last_name: string;
          last_reason: string;
          reason: string;
          rejections: number;
          subscriptions: Json;
          user_id: string;
        }[];
      };
      generate_recovery_codes: { Args: Record<PropertyKey, never>; Returns: string[] };
      guarantee_documents_to_purge: { Args: { after?: string; batch?: number }; Returns: string[] };
      guarantee_figures: {
        Args: Record<PropertyKey, never>;
        Returns: {
          decided: number;
          granted: number;
        }[];
      };
      guarantee_queue: { Args: Record<PropertyKey, never>; Returns: Json };
      guarantee_settlement: { Args: { claim_id: string }; Returns: Json };
      import_draft: { Args: { again?: boolean; fields: Json; kind: string }; Returns: Json };
      increment_participant_count: { Args: { room_id: string }; Returns: undefined };
      invoice_refunds: { Args: { invoice: string }; Returns: Json };
      keep_daily_versions: { Args: { draft_id: string }; Returns: number };
      landing_settings: { Args: Record<PropertyKey, never>; Returns: Json };
      learning_images_to_purge: { Args: { after?: string; batch?: number }; Returns: string[] };
      lift_suspension: { Args: { member: string; reason: string }; Returns: undefined };
      make_pact: {
        Args: {
          content: string;
          due_on: string;
          pact_id: string;
          title: string;
          witnesses?: string[];
        };
        Returns: undefined;
      };
      mark_answer_helpful: {
        Args: { is_helpful: boolean; question_id: string };
        Returns: undefined;
      };
      mark_conversation_read: {
        Args: { conversation_id: string; up_to: string };
        Returns: undefined;
      };
      mark_notifications_read: {
        Args: { notification_id?: number; up_to: string };
        Returns: undefined;
      };
      mark_room_read: { Args: { room_id: string; up_to: string }; Returns: undefined };
      may_publish_draft: { Args: { draft_id: string }; Returns: boolean };
      member_detail: { Args: { member: string }; Returns: Json };
      member_page: {
        Args: {
          after_id?: string;
          joined_from?: string;
          joined_to?: string;
          level?: number;
          membership?: string;
          page_size?: number;
          role?: string;
          search?: string;
          sort?: string;
        };
        Returns: Database["public"]["CompositeTypes"]["member_row"][];
        SetofOptions: {
          from: "*";
          to: "member_row";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      member_profile: { Args: { member_id: string }; Returns: Json };
      mention_in_comment: { Args: { comment_id: string; members: string[] }; Returns: undefined };
      mention_in_submission: {
        Args: { members: string[]; submission_id: string };
        Returns: undefined;
      };
      mention_members: { Args: { members: string[]; message: string }; Returns: undefined };
      mentionable_members: {
        Args: { room?: string; typed?: string };
        Returns: {
          avatar_url: string;
          name: string;
          user_id: string;
        }[];
      };
      mentions_in: {
        Args: { subjects: string[] };
        Returns: {
          is_you: boolean;
          name: string;
          subject_id: string;
          user_id: string;
        }[];
      };
      message_pictures_to_purge: { Args: { after?: string; batch?: number }; Returns: string[] };
      message_reactors: {
        Args: { message_id: string };
        Returns: {
          first_name: string;
          last_name: string;
          reaction: string;
          user_id: string;
        }[];
      };
      my_achievements: { Args: Record<PropertyKey, never>; Returns: Json };
      my_affiliate: { Args: Record<PropertyKey, never>; Returns: Json };
      my_article_analytics: { Args: { article_id: string }; Returns: Json };
      my_blocks: {
        Args: Record<PropertyKey, never>;
        Returns: {
          avatar_url: string;
          created_at: string;
          member_id: string;
          name: string;
        }[];
      };
      my_buyer_details: {
        Args: Record<PropertyKey, never>;
        Returns: {
          address: string;
          business_name: string;
          vat_number: string;
        }[];
      };
      my_certificate: { Args: { certificate_id: string }; Returns: Json };
      my_collaboration_posts: { Args: Record<PropertyKey, never>; Returns: Json[] };
      my_commissions: {
        Args: { before_charge?: string; before_time?: string };
        Returns: {
          amount_pence: number;
          charge_id: string;
          course_title: string;
          invoice_number: string;
          kind: string;
          paid_at: string;
          payable_at: string;
          state: string;
        }[];
      };
      my_content_figures: {
        Args: Record<PropertyKey, never>;
        Returns: {
          category: string;
          completions: number;
          content_id: string;
          enrolments: number;
          is_published: boolean;
          kind: string;
          open_questions: number;
          questions: number;
          readers: number;
          reads: number;
          title: string;
        }[];
      };
      my_conversations: {
        Args: { before_at?: string; before_id?: string; page_size?: number };
        Returns: {
          conversation_id: string;
          excerpt: string;
          is_own: boolean;
          last_message_at: string;
          member: Json;
          unread: number;
        }[];
      };
      my_course_analytics: { Args: { course_id: string }; Returns: Json };
      my_course_offers: { Args: Record<PropertyKey, never>; Returns: Json };
      my_courses: { Args: Record<PropertyKey, never>; Returns: Json };
      my_gifts: { Args: Record<PropertyKey, never>; Returns: Json };
      my_guarantee: { Args: Record<PropertyKey, never>; Returns: Json };
      my_guarantee_claim: { Args: Record<PropertyKey, never>; Returns: Json };
      my_next_room: { Args: Record<PropertyKey, never>; Returns: string };
      my_notifications: { Args: { before?: string; page_size?: number }; Returns: Json };
      my_pacts: { Args: Record<PropertyKey, never>; Returns: Json };
      my_pause_offer: { Args: Record<PropertyKey, never>; Returns: Json };
      my_plan_price: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount_pence: number;
          currency: string;
          interval: string;
          plan_id: string;
          price_id: string;
        }[];
      };
      my_reading_trend: { Args: { days?: number }; Returns: Json };
      my_sessions: {
        Args: Record<PropertyKey, never>;
        Returns: {
          address: string;
          created_at: string;
          has_second_factor: boolean;
          id: string;
          is_current: boolean;
          last_seen_at: string;
          user_agent: string;
        }[];
      };
      my_students: {
        Args: { after_id?: string; after_time?: string; course_id: string };
        Returns: {
          completed_at: string;
          enrolled_at: string;
          last_active_at: string;
          may_nudge: boolean;
          name: string;
          nudged_at: string;
          progress: number;
          user_id: string;
        }[];
      };
      my_today: { Args: Record<PropertyKey, never>; Returns: Json };
      my_vat_documents: {
        Args: Record<PropertyKey, never>;
        Returns: {
          buyer: Json;
          corrects: string;
          currency: string;
          description: string;
          gross_pence: number;
          invoice_id: string;
          issued_at: string;
          kind: string;
          net_pence: number;
          number: string;
          payment_id: string;
          period_end: number;
          period_start: number;
          rate_basis_points: number;
          seller: Json;
          supplied_at: string;
          vat_pence: number;
        }[];
      };
      my_withdrawal_right: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount_pence: number;
          currency: string;
          ends_at: string;
          subscription_id: string;
        }[];
      };
      note_my_export: { Args: { failed_step?: string }; Returns: undefined };
      notify_direct_typing: { Args: { conversation_id: string }; Returns: undefined };
      notify_typing: { Args: { room_id: string }; Returns: undefined };
      nudge_student: { Args: { course_id: string; student_id: string }; Returns: undefined };
      open_guarantee_document: { Args: { claim_id: string }; Returns: string };
      open_verification_document: { Args: { verification_id: string }; Returns: string };
      pacts_of_submissions: { Args: { submission_ids: string[] }; Returns: Json };
      people_page: {
        Args: {
          after_id?: string;
          level?: number;
          occupation?: string;
          page_size?: number;
          role?: string;
          search?: string;
          topic?: string;
        };
        Returns: {
          avatar_url: string;
          bio: string;
          member_level: number;
          name: string;
          occupation_name: string;
          role_name: string;
          topics: string[];
          user_id: string;
        }[];
      };
      pin_message: { Args: { message_id: string }; Returns: undefined };
      plan_overview: {
        Args: Record<PropertyKey, never>;
        Returns: {
          amount_pence: number;
          currency: string;
          former_price_members: number;
          id: string;
          interval: string;
          is_active: boolean;
          last_check_at: string;
          last_event_at: string;
          members: number;
          name: string;
          price_id: string;
          prices: Json;
          role: string;
        }[];
      };
      preview_level_requirement: {
        Args: { kind: string; level: number; needed: number };
        Returns: {
          available: number;
          current_needed: number;
          members: number;
          ready_after: number;
          ready_before: number;
        }[];
      };
      profile_pictures_to_purge: { Args: { after?: string; batch?: number }; Returns: string[] };
      progress_evidence: {
        Args: { before_id?: number; category?: string; kind: string; page_size?: number };
        Returns: Database["public"]["CompositeTypes"]["progress_event"][];
        SetofOptions: {
          from: "*";
          to: "progress_event";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      progress_history: {
        Args: { days?: number };
        Returns: {
          articles: number;
          courses: number;
          day: string;
          engagements: number;
          rooms: number;
          submissions: number;
        }[];
      };
      publish_draft: {
        Args: { draft_id: string; expected_version: number; publish_at?: string };
        Returns: string;
      };
      publish_due_draft: { Args: Record<PropertyKey, never>; Returns: string };
      publish_landing_text: {
        Args: { headline: string; host: string; host_about: string; lead: string };
        Returns: number;
      };
      publish_legal_text: {
        Args: { body: string; kind: string; summary: string };
        Returns: number;
      };
      purge_emails: { Args: Record<PropertyKey, never>; Returns: undefined };
      purge_notifications: { Args: Record<PropertyKey, never>; Returns: undefined };
      questions_of: { Args: { article_id?: string; module_id?: string }; Returns: Json };
      queue_card_reminders: { Args: Record<PropertyKey, never>; Returns: number };
      queue_digests: { Args: Record<PropertyKey, never>; Returns: number };
      queue_gift_reminders: { Args: Record<PropertyKey, never>; Returns: number };
      queue_guarantee_reminders: { Args: Record<PropertyKey, never>; Returns: number };
      queue_pause_reminders: { Args: Record<PropertyKey, never>; Returns: number };
      queue_renewal_reminders: { Args: Record<PropertyKey, never>; Returns: number };
      queue_trial_reminders: { Args: Record<PropertyKey, never>; Returns: number };
      rate_text: {
        Args: {
          article_id?: string;
          course_id?: string;
          may_quote?: boolean;
          sentence?: string;
          stars: number;
        };
        Returns: undefined;
      };
      rating_of: { Args: { article_id?: string; course_id?: string }; Returns: Json };
      ratings_of_text: { Args: { article_id?: string; course_id?: string }; Returns: Json };
      recall_draft: { Args: { draft_id: string; expected_version: number }; Returns: undefined };
      record_affiliate_visit: {
        Args: { code: string; known: string; visitor: string };
        Returns: string;
      };
      record_deleted_documents: { Args: { documents: string[] }; Returns: undefined };
      record_deleted_guarantee_documents: { Args: { documents: string[] }; Returns: undefined };
      record_email_result: {
        Args: { claim: string; email: string; error?: string };
        Returns: string;
      };
      record_guarantee_baseline: {
        Args: { document_name?: string; monthly_pence: number; source: string };
        Returns: undefined;
      };
      record_guarantee_check_in: { Args: { monthly_pence: number }; Returns: undefined };
      record_push_result: {
        Args: { claim: string; notification_id: number; outcome: string; subscription_id: string };
        Returns: boolean;
      };
      recovery_code_status: {
        Args: Record<PropertyKey, never>;
        Returns: {
          codes_left: number;
          created_at: string;
        }[];
      };
      redeem_gift: { Args: { code: string }; Returns: Json };
      redeem_recovery_code: {
        Args: { code: string; keep_session: string; member: string };
        Returns: boolean;
      };
      release_commissions: { Args: Record<PropertyKey, never>; Returns: number };
      release_email: { Args: { claim: string; email: string }; Returns: boolean };
      remind_of_pacts: { Args: Record<PropertyKey, never>; Returns: undefined };
      remove_question: { Args: { explanation?: string; question_id: string }; Returns: undefined };
      remove_rating_comment: {
        Args: { explanation?: string; rating_id: string };
        Returns: undefined;
      };
      report: {
        Args: { category?: string; kind: string; reason?: string; subject_id: string };
        Returns: undefined;
      };
      report_queue: { Args: { kind?: string }; Returns: Json[] };
      resolve_billing_flag: {
        Args: { flag: string; member: string; reason: string };
        Returns: undefined;
      };
      resolve_report: {
        Args: { decision: string; explanation?: string; report_id: number };
        Returns: undefined;
      };
      restore_draft_version: {
        Args: { draft_id: string; expected_version: number; version: number };
        Returns: number;
      };
      retire_plan_price: { Args: { price: string; reason: string }; Returns: undefined };
      return_draft: {
        Args: { comments: Json; draft_id: string; expected_version: number };
        Returns: undefined;
      };
      review_verification: {
        Args: {
          decision: string;
          document_sha256?: string;
          document_version?: string;
          reason?: string;
          verification_id: string;
        };
        Returns: undefined;
      };
      revoke_certificate: { Args: { code: string; reason: string }; Returns: undefined };
      room_changes_since: {
        Args: { after_id?: string; page_size?: number; room_id: string; since: string };
        Returns: Database["public"]["CompositeTypes"]["room_message"][];
        SetofOptions: {
          from: "*";
          to: "room_message";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      room_page: {
        Args: {
          before_created_at?: string;
          before_id?: string;
          page_size?: number;
          room_id: string;
        };
        Returns: Database["public"]["CompositeTypes"]["room_message"][];
        SetofOptions: {
          from: "*";
          to: "room_message";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      room_participants: { Args: { room_id: string }; Returns: string[] };
      room_pins: {
        Args: { room_id: string };
        Returns: {
          author_first_name: string;
          author_last_name: string;
          content: string;
          created_at: string;
          message_id: string;
          pinned_at: string;
          user_id: string;
        }[];
      };
      save_collaboration_post: {
        Args: { details: string; kind: string; post_id: string; title: string; topics?: string[] };
        Returns: undefined;
      };
      save_course_offer: {
        Args: {
          course: string;
          free_module: string;
          is_on_sale: boolean;
          outcomes: string[];
          slug: string;
        };
        Returns: undefined;
      };
      save_draft: {
        Args: { draft_id: string; expected_version: number; fields: Json };
        Returns: number;
      };
      save_push_subscription: {
        Args: { auth_key: string; endpoint: string; p256dh: string };
        Returns: undefined;
      };
      search_library: {
        Args: { max_results?: number; query: string };
        Returns: {
          category: string;
          excerpt: string;
          id: string;
          kind: string;
          path: string;
          rank: number;
          title: string;
        }[];
      };
      search_locked: {
        Args: { query: string };
        Returns: {
          category: string;
          kind: string;
          min_level: number;
          title: string;
        }[];
      };
      search_messages: {
        Args: {
          before_created_at?: string;
          before_id?: string;
          page_size?: number;
          query: string;
          room_id?: string;
        };
        Returns: {
          author_avatar_url: string;
          author_first_name: string;
          author_last_name: string;
          chat_room_id: string;
          created_at: string;
          excerpt: string;
          message_id: string;
          room_name: string;
          user_id: string;
        }[];
      };
      send_direct_message: {
        Args: { content: string; message_id: string; parent_id?: string; recipient_id: string };
        Returns: Json;
      };
      set_billing_rules: {
        Args: { renewal_reminder_days: number; withdrawal_refund: string };
        Returns: undefined;
      };
      set_business_details: {
        Args: { address: string; company_number: string; legal_name: string; vat_number: string };
        Returns: undefined;
      };
      set_buyer_details: {
        Args: { address: string; business_name: string; vat_number: string };
        Returns: undefined;
      };
      set_email_text: {
        Args: { key: string; new_text?: string; template: string };
        Returns: undefined;
      };
      set_level_requirement: {
        Args: { kind: string; level: number; needed: number };
        Returns: undefined;
      };
      set_member_admin: {
        Args: { is_admin: boolean; member: string; reason: string };
        Returns: undefined;
      };
      set_message_choice: { Args: { accepts: string }; Returns: undefined };
      set_my_picture: { Args: { name?: string }; Returns: string };
      set_pause_months: { Args: { months: number }; Returns: undefined };
      set_payment_element: { Args: { enabled: boolean }; Returns: undefined };
      set_payment_grace: { Args: { days: number }; Returns: undefined };
      set_profile_choices: {
        Args: {
          is_listed: boolean;
          shows_achievements?: boolean;
          shows_submissions: boolean;
          topics: string[];
        };
        Returns: undefined;
      };
      set_trusted_mentor: {
        Args: { member: string; reason: string; trusted: boolean };
        Returns: undefined;
      };
      set_vat: { Args: { mode: string; rate_basis_points: number }; Returns: undefined };
      share_card: { Args: { achievement?: string; certificate_id?: string }; Returns: string };
      shared_card: { Args: { code: string; visitor: string }; Returns: Json };
      sign_out_member: { Args: { member: string; reason: string }; Returns: number };
      sources_of_text: {
        Args: { article_id?: string; course_id?: string };
        Returns: {
          finished: number;
          members: number;
          source: string;
        }[];
      };
      stop_sharing: { Args: { code: string }; Returns: undefined };
      studio_subcategories: {
        Args: Record<PropertyKey, never>;
        Returns: {
          id: string;
          main_category: string;
          name: string;
          slug: string;
        }[];
      };
      subcategory_page: { Args: { category: string; shelf: string; slug: string }; Returns: Json };
      submit_draft: {
        Args: { draft_id: string; expected_version: number; publish_at?: string };
        Returns: string;
      };
      suspend_member: {
        Args: { days?: number; member: string; reason: string };
        Returns: undefined;
      };
      switch_off_emails: { Args: { kind: string; member: string }; Returns: undefined };
      take_newest_bought_version: { Args: { course: string }; Returns: undefined };
      take_newest_version: { Args: { course_id: string }; Returns: undefined };
      unblock_member: { Args: { member_id: string }; Returns: undefined };
      unpin_message: { Args: { message_id: string }; Returns: undefined };
      unread_conversations: { Args: Record<PropertyKey, never>; Returns: number };
      unread_rooms: { Args: Record<PropertyKey, never>; Returns: number };
      verification_documents_to_purge: {
        Args: { after?: string; batch?: number };
        Returns: string[];
      };
      verification_queue: {
        Args: Record<PropertyKey, never>;
        Returns: {
          document_state: string;
          document_type: string;
          document_url: string;
          document_version: string;
          email: string;
          first_name: string;
          id: string;
          last_name: string;
          rejections: number;
          submitted_at: string;
          user_id: string;
        }[];
      };
      verify_certificate: { Args: { code: string; visitor: string }; Returns: Json };
      waiting_questions: { Args: Record<PropertyKey, never>; Returns: Json };
      withdraw_draft: { Args: { draft_id: string; expected_version: number }; Returns: undefined };
      written_texts_page: {
        Args: { after_id?: string; author: string; before?: string; page_size?: number };
        Returns: Json;
      };
    };
    Enums: {
      [_ in never]: never;
    };
    CompositeTypes: {
      audit_entry: {
        id: number | null;
        happened_at: string | null;
        actor: string | null;
        actor_name: string | null;
        action: string | null;
        subject: string | null;
        subject_name: string | null;
        detail: Json | null;
      };
      member_row: {
        user_id: string | null;
        email: string | null;
        name: string | null;
        role: string | null;
        level: number | null;
        membership: string | null;
        is_suspended: boolean | null;
        joined_at: string | null;
      };
      progress_event: {
        id: number | null;
        kind: string | null;
        category: string | null;
        reference: string | null;
        label: string | null;
        path: string | null;
        happened_at: string | null;
      };
      room_message: {
        id: string | null;
        user_id: string | null;
        chat_room_id: string | null;
        content: string | null;
        message_type: string | null;
        parent_message_id: string | null;
        like_count: number | null;
        created_at: string | null;
        edited_at: string | null;
        deleted_at: string | null;
        changed_at: string | null;
        author_first_name: string | null;
        author_last_name: string | null;
        author_role: string | null;
        author_occupation: string | null;
        liked_by_me: boolean | null;
        parent_content: string | null;
        parent_author: string | null;
        author_avatar_url: string | null;
        reaction_counts: Json | null;
        my_reactions: string[] | null;
        picture: string | null;
        picture_width: number | null;
        picture_height: number | null;
        picture_alt: string | null;
      };
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema["Tables"] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema["Tables"] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    keyof DefaultSchema["Enums"] | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    keyof DefaultSchema["CompositeTypes"] | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {},
  },
} as const;
