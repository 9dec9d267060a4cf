export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
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
        };
        Relationships: [];
      };
      profiles: {
        Row: {
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
          id: number;
          payment_method_brand: string | null;
          payment_method_last4: string | null;
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
          id?: never;
          payment_method_brand?: string | null;
          payment_method_last4?: string | null;
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
          id?: never;
          payment_method_brand?: string | null;
          payment_method_last4?: string | null;
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
    };
    Views: {
      [_ in never]: never;
    };
    Functions: {
      admin_figures: {
        Args: Record<PropertyKey, never>;
        Returns: {
          accounts: number;
          cancelling: number;
          flagged_accounts: number;
          monthly_revenue_pence: number;
          oldest_pending_at: string;
          onboarded_members: number;
          past_due: number;
          paying_mentors: number;
          paying_students: number;
          pending_verifications: number;
          signups_this_week: number;
        }[];
      };
      billing_apply: {
        Args: { event?: string; event_type?: string; snapshot: Json; ticket: number };
        Returns: string;
      };
      billing_audit: {
        Args: { action: string; customer: string; detail: Json };
        Returns: undefined;
      };
      billing_begin_purchase: {
        Args: { joining?: string; member: string; price: string };
        Returns: Json;
      };
      billing_close_attempts: { Args: { customer: string }; Returns: undefined };
      billing_customer: { Args: { member: string }; Returns: Json };
      billing_departed: { Args: Record<PropertyKey, never>; Returns: string[] };
      billing_draw_ticket: { Args: { event?: string }; Returns: number };
      billing_drop_customer: {
        Args: { customer: string; event?: string; event_type?: string };
        Returns: boolean;
      };
      billing_end_attempt: { Args: { attempt: string; outcome: string }; Returns: undefined };
      billing_forget_departed: { Args: { customer: string }; Returns: undefined };
      billing_purge: { Args: Record<PropertyKey, never>; Returns: undefined };
      billing_record_customer: { Args: { customer: string; member: string }; Returns: string };
      billing_record_subscription: {
        Args: { attempt: string; subscription: string };
        Returns: boolean;
      };
      billing_take_due: {
        Args: { batch?: number; everybody?: boolean };
        Returns: {
          customer_id: string;
          fresh_attempts: Json;
        }[];
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
      effective_level: { Args: Record<PropertyKey, never>; Returns: number };
      export_my_data: { Args: Record<PropertyKey, never>; Returns: Json };
      record_deleted_documents: { Args: { documents: string[] }; Returns: undefined };
      review_verification: {
        Args: { reason?: string; verdict: string; verification_id: string };
        Returns: undefined;
      };
      verification_documents_due: { Args: { after?: string; batch?: number }; Returns: string[] };
      verification_queue: {
        Args: Record<PropertyKey, never>;
        Returns: {
          document_type: string;
          document_url: string;
          email: string;
          first_name: string;
          id: string;
          last_name: string;
          rejections: number;
          submitted_at: string;
          user_id: string;
        }[];
      };
    };
    Enums: {
      [_ in never]: never;
    };
    CompositeTypes: {
      [_ in never]: never;
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
