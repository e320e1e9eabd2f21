/**
 * Shapes that never leave the process: the library that holds them is the one that refuses.
 */
import type { Provider } from '../core/index.ts'
import { aiSdk as aiSdkDialect } from '../dialects/ai-sdk.ts'
import { langchain as langchainDialect } from '../dialects/langchain.ts'
import { D, F, I } from './evidence.ts'

export const aiSdk: Provider = {
  id: 'ai-sdk',
  hosts: [],
  serves: [
    {
      dialect: aiSdkDialect,
      laws: {
        'tool-result-missing': D(),
        'tool-result-not-adjacent': D({ across: true }),
        // Not looked at by the SDK: it comes back as the provider's refusal.
        'tool-result-orphan': F(),
        'tool-result-duplicate': I(),
        'tool-call-id-duplicate': I({ scope: 'request' }),
        'tool-call-id-empty': [I(), D({ half: true })],
        'lone-surrogate': I({ glance: 'parts' }),
      },
    },
  ],
}

export const langchain: Provider = {
  id: 'langchain',
  hosts: [],
  serves: [
    {
      dialect: langchainDialect,
      laws: {
        'tool-result-missing': D(),
        'tool-result-orphan': I(),
        'tool-result-duplicate': I(),
        'tool-call-id-empty': [I(), D({ half: true })],
        'lone-surrogate': I({ glance: 'parts' }),
      },
    },
  ],
}
