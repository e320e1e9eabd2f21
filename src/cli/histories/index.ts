/** Conversations of a file, and data sets. */
export { treeOf } from './conversation-tree.ts'
export { checkDataSet, dataSetFormat } from './data-set.ts'
export {
  CONVERSATION_OPTIONS,
  conversationIn,
  OUTPUT_OPTIONS,
  oneConversation,
  oneFile,
  targetOf,
  writeJson,
} from './one-conversation.ts'
