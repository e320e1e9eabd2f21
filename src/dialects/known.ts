/**
 * Words of the wire formats: from the types of the vendors' SDKs, documentation of servers with the same API, and
 * recorded requests. A word that is missing costs a request that is broken as well a second round trip; one that is
 * here by mistake may change a valid request. Keys that say where earlier messages are belong to their dialect alone.
 */
import { type Known, plainKey } from '../core/index.ts'

/** Settings: the model, sampling, output, tools, limits, caching, tracking, routing. */
const REQUEST = `
  model messages input contents prompt instructions system systemInstruction stream streamOptions metadata user userId store background include
  temperature topP topK topA minP seed randomSeed n bestOf candidateCount stop stopSequences stopTokenIds maxTokens maxOutputTokens maxCompletionTokens
  maxNewTokens minTokens nPredict numPredict presencePenalty frequencyPenalty repetitionPenalty repeatPenalty repeatLastN lengthPenalty noRepeatNgramSize
  logitBias logprobs topLogprobs promptLogprobs nProbs echo suffix typicalP tfsZ mirostat mirostatTau mirostatEta dynatempRange xtcProbability doSample samplers
  useBeamSearch ignoreEos includeStopStrInOutput skipSpecialTokens spacesBetweenSpecialTokens addSpecialTokens addGenerationPrompt continueFinalMessage
  truncatePromptTokens returnTokensAsTokenIds logitsProcessors allowedTokenIds badWords minTokensToKeep topNSigma returnHiddenStates returnMetaInfo
  chatTemplate chatTemplateKwargs template mmProcessorKwargs documents raw images rid requestId priority cacheSalt cachePrompt idSlot kvTransferParams
  guidedJson guidedRegex guidedChoice guidedGrammar guidedDecodingBackend guidedWhitespacePattern structuredOutputs structuralTag grammar jsonSchema regex ebnf
  loraPath separateReasoning streamReasoning includeReasoning reasoningSplit reasoningFormat reasoningEffort reasoning reasoningOptions reasoningSummary thinking
  thinkingBudget thinkingConfig enableThinking preserveThinking clearThinking think effort verbosity budgetTokens modalities audio text format prediction
  responseFormat responseSchema responseMimeType outputConfig outputFormat toolChoice tools functions functionCall parallelToolCalls parallelFunctionCalling
  maxToolCalls toolStream toolConfig toolkits disableToolValidation toolPromptCaching webSearchOptions searchParameters enableSearch searchOptions searchMode
  searchDomainFilter searchRecencyFilter disableSearch returnImages returnCitations returnRelatedQuestions citationOptions compoundCustom mediaResponse
  cacheControl caching cache promptCacheKey promptCacheOptions promptCacheRetention diagnostics serviceTier speed inferenceGeo truncation moderation
  safetyIdentifier safetySettings safetyModel safePrompt guardrails guardrailConfig promptMode sessionId userProfileId workspaceId trace tags labels debug
  provider providerOptions models route routing transforms plugins preset fallbacks fallbackCreditToken usage timeout numRetries apiBase apiVersion apiKey
  baseUrl mockResponse litellmMetadata litellmCallId litellmTraceId litellmSessionId allowedOpenaiParams additionalDropParams dropParams extraHeaders extraBody
  extraQuery clientMetadata client intent options keepAlive dataSources maskSensitiveInfo botSetting replyConstraints tokensToGenerate incrementalOutput
  resultFormat vlHighResolutionImages contextLengthExceededBehavior rawOutput perfMetricsInResponse promptTruncateLen deferred numCtx partial
  mcpServers anthropicVersion anthropicBeta betas container compaction contextManagement generationConfig inferenceConfig additionalModelRequestFields
  additionalModelResponseFieldPaths promptVariables requestMetadata performanceConfig modelId parameters config httpOptions speechConfig imageConfig
  customLlmProvider deploymentId vllmXargs timingsPerToken lora dryMultiplier dryBase dryAllowedLength drySequenceBreakers reasoningBudget webSearch
  modelArmorConfig modelSelectionConfig mediaResolution audioTimestamp responseModalities responseJsonSchema responseLogprobs stopReason title lastId url`

/** Keys of messages, parts, calls and results that carry content or say nothing about which result is whose. */
const KEYS = `
  id type role name content contents text texts index status parts message body value data output outputs result results response input inputs arguments args argumentsJson
  parameters params kwargs toolInput toolArgs functionArgs toolCall toolCalls toolCallId toolUseId callId toolName toolOutput toolResult toolUse observation
  functionName tool function functions functionCall functionResponse functionCallOutput custom isError error success failed exitCode duration observation
  functionCallId call caller toolsetName serverName serverLabel mcpServerName namespace execution environment code language outcome logs lc lcKwargs
  thinking signature thought thoughtSignature reasoning reasoningContent reasoningDetails reasoningText redactedContent redactedThinking encryptedContent summary
  summaryText refusal annotations citations citationsContent logprobs audio transcript image imageUrl video videoUrl document documentUrl file fileId fileData
  fileUrl fileUri filename inputAudio inlineData mimeType mediaType url source detail format title context transformations textContent displayName size width height
  imageData base64 byte documentType inputText outputText inputImage inputFile mediaResolution videoMetadata partMetadata audioTranscription mediaProcessing
  speechMetadata executableCode codeExecutionResult toolResponse guardContent searchResult cachePoint cacheControl promptCacheBreakpoint ttl ephemeral
  toolAddition toolRemoval toolChange clearAt outputConfig from to trigger fallback compaction query pattern action actions acknowledgedSafetyCheck
  pendingSafetyCheck operation maxOutputLength json s3Location uri bucketOwner deferLoading strict tools toolset tokenId citationId enabled approvalRequestId approvalId approve approved approval reason fingerprint containerId 
  phase author recipient channel weight prefix prefill partial endTurn finishReason stopReason stopSequence stopDetails usage usageMetadata model provider modelId providerId
  diagnostics contextManagement container inputTransformations metadata timestamp time date createdAt updatedAt created sentAt completedAt startedAt uuid parentUuid sender user userId
  sessionId conversationId requestId responseId messageId parentId turnId runId threadTimestamp modelName version cost tokens tokenCount latency tags labels
  extra extraContent extraBody extras additionalKwargs responseMetadata usageMetadata invalidToolCalls providerOptions providerMetadata experimentalProviderMetadata
  providerExecuted experimentalToToolResultContent experimentalContent experimentalAttachments callProviderMetadata toolInvocation toolInvocations dynamic preliminary state
  step errorText rawInput artifact responseTimestamp internalChatMessageMetadataPassthrough ghostCommit revisedPrompt schema description
  providerSpecificFields thinkingBlocks reasoningOpaque matchedStop toolPlan parsed
  partialArgs parsedArguments createdBy attachments files images cachedTokens originalContent isMeta isSynthetic synthetic seen __proto__ constructor`

/** Keys whose value is data: of tools, clients and other SDKs, or something about the answer. */
const DATA = `
  input args arguments argumentsJson parameters params kwargs toolInput toolArgs functionArgs rawInput data value json schema response
  output outputs result results toolOutput observation
  metadata usage usageMetadata responseMetadata partMetadata providerOptions providerMetadata experimentalProviderMetadata callProviderMetadata additionalKwargs
  extra extraContent extraBody extras lcKwargs kwargs artifact state environment action actions operation logprobs logs citations annotations diagnostics
  internalChatMessageMetadataPassthrough ghostCommit tags labels cost caller context approval safetyCheck message`

const TYPES = `
  text texts none undefined empty string number boolean object bigint symbol unknown null
  toolUse toolResult serverToolUse mcpToolUse mcpToolResult thinking redactedThinking image document searchResult webSearchToolResult webFetchToolResult advisorToolResult
  codeExecutionToolResult bashCodeExecutionToolResult textEditorCodeExecutionToolResult toolSearchToolResult containerUpload compaction toolAddition
  toolRemoval toolReference mcpToolListing fallback connectorText ephemeral
  tool function functionCall functionResponse custom refusal audio inputAudio imageUrl videoUrl video file documentUrl reference reasoning reasoningContent thought redactedContent
  message functionCallOutput customToolCall customToolCallOutput computerCall computerCallOutput computerScreenshot localShellCall localShellCallOutput shellCall
  shellCallOutput applyPatchCall applyPatchCallOutput toolSearchCall toolSearchOutput additionalTools webSearchCall fileSearchCall imageGenerationCall
  codeInterpreterCall mcpCall mcpListTools mcpApprovalRequest mcpApprovalResponse itemReference program programOutput compactionTrigger compactionSummary
  configurationUpdate agentMessage ghostSnapshot functionGroup namespace encryptedContent inputText outputText inputImage inputFile summaryText reasoningText
  inlineData fileData executableCode codeExecutionResult toolCall toolResponse guardContent citationsContent cachePoint
  toolError toolApprovalRequest toolApprovalResponse toolInvocation dynamicTool sourceUrl sourceDocument source stepStart data reasoningFile blob media resource resourceLink json content imageData imageFile fileData fileUrl fileId webSearchResult
  human ai chat remove userMessage assistantMessage humanMessage aiMessage toolMessage systemMessage`

/** Also words that providers are on record to reject. */
const ROLES = `system user assistant developer tool function model human ai bot chatbot systemInstruction toolResult generic critic discriminator latestReminder remove data thinking phase invalidRole`

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).flatMap((one) => [one, plainKey(one)]))

const shared = { keys: words(KEYS), data: words(DATA), types: words(TYPES), roles: words(ROLES) }

/** What is known of a dialect. `stored`: its keys for messages that the provider holds, which its `holdsEarlierTurns` reads. */
export function known(stored = ''): Known {
  return { ...shared, request: words(`${REQUEST} ${stored}`) }
}
