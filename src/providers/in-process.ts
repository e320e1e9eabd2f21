/**
 * Shapes that never leave the process: the library that holds them is the one that rejects.
 */
import type { Provider } from '../core/index.ts'
import { aiSdk as aiSdkDialect } from '../dialects/ai-sdk.ts'
import { langchain as langchainDialect } from '../dialects/langchain.ts'
import type { Constraints } from '../rules/index.ts'

const aiSdkConstraints: Constraints = {
  'tool-result-missing': { evidence: 'documented' },
  'tool-result-not-adjacent': { evidence: 'documented', across: true },
  // The SDK does not look at it: it comes back as the provider's rejection.
  'tool-result-orphan': { evidence: 'few-reports' },
  'tool-result-duplicate': { evidence: 'inferred' },
  'tool-call-id-duplicate': { evidence: 'inferred', scope: 'request' },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'documented', half: true }],
  'lone-surrogate': { evidence: 'inferred' },
}

const langchainConstraints: Constraints = {
  'tool-result-missing': { evidence: 'documented' },
  'tool-result-orphan': { evidence: 'inferred' },
  'tool-result-duplicate': { evidence: 'inferred' },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'documented', half: true }],
  'lone-surrogate': { evidence: 'inferred' },
}

export const aiSdk: Provider = {
  id: 'ai-sdk',
  hosts: [],
  serves: [{ dialect: aiSdkDialect, constraints: aiSdkConstraints }],
}

export const langchain: Provider = {
  id: 'langchain',
  hosts: [],
  serves: [{ dialect: langchainDialect, constraints: langchainConstraints }],
}
