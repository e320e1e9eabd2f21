/** Conversations of a file, and data sets. */
export { treeOf } from './conversation-tree.ts'
export { checkDataSet, dataSetFormat } from './data-set.ts'
export { CONVERSATION_OPTIONS, oneConversation, writeJson } from './one-conversation.ts'
