/** Shapes that never leave the process: the library that holds them is the one that rejects. */
import type { Provider } from '../core/index.ts'
import { aiSdk as aiSdkDialect } from '../dialects/ai-sdk/index.ts'
import { aiSdkUi as aiSdkUiDialect } from '../dialects/ai-sdk-ui/index.ts'
import { langchain as langchainDialect } from '../dialects/langchain/index.ts'
import type { Constraints } from '../rules/index.ts'
import { ownFormat } from './foreign.ts'

const aiSdkConstraints: Constraints = {
  'foreign-message': ownFormat(aiSdkDialect),
  'tool-result-missing': { evidence: 'documented' },
  'tool-result-not-adjacent': { evidence: 'documented', across: true },
  // The SDK does not look at it: it comes back as the provider's rejection.
  'tool-result-orphan': { evidence: 'few-reports' },
  'tool-result-duplicate': { evidence: 'inferred' },
  'tool-call-message-copied': { evidence: 'inferred' },
  'tool-call-id-duplicate': { evidence: 'inferred', scope: 'request' },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'documented', half: true }],
  'lone-surrogate': { evidence: 'inferred' },
}

/** A part that is not finished is left out or sent without its result, depending on its state (vercel/ai#10638). */
const aiSdkUiConstraints: Constraints = {
  'foreign-message': ownFormat(aiSdkUiDialect),
  'tool-result-missing': { evidence: 'few-reports' },
  'tool-call-id-empty': { evidence: 'inferred' },
  'lone-surrogate': { evidence: 'inferred' },
}

const langchainConstraints: Constraints = {
  'tool-call-message-copied': { evidence: 'inferred' },
  'foreign-message': ownFormat(langchainDialect),
  'tool-result-missing': { evidence: 'documented' },
  'tool-result-orphan': { evidence: 'inferred' },
  'tool-result-duplicate': { evidence: 'inferred' },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'documented', half: true }],
  'lone-surrogate': { evidence: 'inferred' },
}

/** The AI SDK: messages that its functions check in the process. */
export const aiSdk: Provider<'ai-sdk'> = {
  id: 'ai-sdk',
  hosts: [],
  serves: [{ dialect: aiSdkDialect, constraints: aiSdkConstraints }],
}

/** Stored interface messages, before `convertToModelMessages`. */
export const aiSdkUi: Provider<'ai-sdk-ui'> = {
  id: 'ai-sdk-ui',
  hosts: [],
  serves: [{ dialect: aiSdkUiDialect, constraints: aiSdkUiConstraints }],
}

/** LangChain: messages that never leave the process in this form. */
export const langchain: Provider<'langchain'> = {
  id: 'langchain',
  hosts: [],
  serves: [{ dialect: langchainDialect, constraints: langchainConstraints }],
}
