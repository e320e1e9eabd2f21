/** The type of the messages in a history or in a request body. */
export type MessageOf<T> = T extends readonly (infer M)[]
  ? M
  : T extends { readonly messages: readonly (infer M)[] }
    ? M
    : T extends { readonly input: readonly (infer M)[] }
      ? M
      : T extends { readonly contents: readonly (infer M)[] }
        ? M
        : unknown
