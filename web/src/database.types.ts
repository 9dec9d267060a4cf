export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      onboarding_progress: {
        Row: {
          completed_steps: number[];
          current_step: number;
          data: Json;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          completed_steps?: number[];
          current_step?: number;
          data?: Json;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          completed_steps?: number[];
          current_step?: number;
          data?: Json;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      onboarding_responses: {
        Row: {
          answer: string;
          page_number: number;
          question: string;
          user_id: string;
        };
        Insert: {
          answer: string;
          page_number: number;
          question: string;
          user_id: string;
        };
        Update: {
          answer?: string;
          page_number?: number;
          question?: string;
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
          customer_id: string;
          deleted_at: string | null;
          user_id: string;
        };
        Insert: {
          customer_id: string;
          deleted_at?: string | null;
          user_id: string;
        };
        Update: {
          customer_id?: string;
          deleted_at?: string | null;
          user_id?: string;
        };
        Relationships: [];
      };
      stripe_subscriptions: {
        Row: {
          cancel_at_period_end: boolean;
          current_period_end: number | null;
          current_period_start: number | null;
          customer_id: string;
          deleted_at: string | null;
          payment_method_brand: string | null;
          payment_method_last4: string | null;
          price_id: string | null;
          status: string;
          subscription_id: string | null;
        };
        Insert: {
          cancel_at_period_end?: boolean;
          current_period_end?: number | null;
          current_period_start?: number | null;
          customer_id: string;
          deleted_at?: string | null;
          payment_method_brand?: string | null;
          payment_method_last4?: string | null;
          price_id?: string | null;
          status: string;
          subscription_id?: string | null;
        };
        Update: {
          cancel_at_period_end?: boolean;
          current_period_end?: number | null;
          current_period_start?: number | null;
          customer_id?: string;
          deleted_at?: string | null;
          payment_method_brand?: string | null;
          payment_method_last4?: string | null;
          price_id?: string | null;
          status?: string;
          subscription_id?: string | null;
        };
        Relationships: [];
      };
      user_levels: {
        Row: {
          current_level: number;
          unlocked_levels: number[];
          updated_at: string;
          user_id: string;
        };
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
          articles_read_by_category: Json;
          chat_rooms_opened: string[];
          courses_completed_by_category: Json;
          current_level: number;
          learning_submissions: number;
          level_completed_at: Json;
          message_engagements: number;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          articles_read_by_category?: Json;
          chat_rooms_opened?: string[];
          courses_completed_by_category?: Json;
          current_level?: number;
          learning_submissions?: number;
          level_completed_at?: Json;
          message_engagements?: number;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          articles_read_by_category?: Json;
          chat_rooms_opened?: string[];
          courses_completed_by_category?: Json;
          current_level?: number;
          learning_submissions?: number;
          level_completed_at?: Json;
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
          status: string;
          submitted_at: string;
          user_id: string;
          verified_at: string | null;
        };
        Insert: {
          document_type: string;
          document_url: string;
          id?: string;
          rejected_reason?: string | null;
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
          status?: string;
          submitted_at?: string;
          user_id?: string;
          verified_at?: string | null;
        };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: { [_ in never]: never };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};
