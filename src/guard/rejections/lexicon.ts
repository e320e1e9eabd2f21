/**
 * What error texts mean, as data: the wordings of each concept, and the combinations of concepts that name a rule or a
 * class. A new wording is one more entry in the line of its concept; see CONTRIBUTING.md.
 *
 * Wordings are lower case without punctuation. Endings (`s`, `ed`, `ing`), quotes, underscores and `camelCase` do not
 * matter. Of things the longest wording counts: `tool call id` is not also a `tool call`. Lines are long, so that each
 * concept is one line.
 */

/** Things that a text can be about. */
export const things = `
medium: mime type|media type|multimodal|multimodal content|multimodal file|inline data|data uri|attachment|file|file content|uploaded file|url provided|provided url|file url|media
messageList: messages array|messages list|message list|list of messages|array of messages|messages 数组|消息列表|no messages
call: tool use|tool call|function call|tool invocation|tool request|function invocation|call message|calling message|tool use block|function call part|function call event|tool use content|tool calls message|call part|call turn|function call turn|custom tool call|local shell call|computer call|shell call|assistant tool call message|tool call message|tool call part|工具调用|函数调用|调用请求|ツール呼び出し|llamada a herramienta|appel d outil|werkzeugaufruf|вызов инструмента|вызова инструмента|вызову инструмента|вызов функции|вызова функции|호출|도구 호출|chamada de ferramenta
callId: tool call id|tool use id|call id|tool id|tool use tool use id|function call id|id of the tool call|id of the call|tool call tool call id|invalid tool call id|工具调用id|tool call ids|calling id|tool result tool use id|tool result tool call id
callName: tool calls function name|tool calls name|tool use name|function call name|tool call name
messageName: messages name|message name
result: tool result|tool output|call output|function call output|function output|tool call output|custom tool call output|tool response|function response|function response part|function call response|tool call response|response part|tool message|response message|role tool|tool role|role function|function call result|tool call result|function result|tool return|tool return part|tool result part|role enum tool|role of tool|tool reply|tool result block|tool result message|tool result content|response turn|function response turn|tool answer|call result|execution result|corresponding response|corresponding output|corresponding result|single result|output for|result for|result block|response to each tool call|工具结果|工具返回|工具消息|工具响应|函数结果|返回结果|ツール結果|ツールの結果|resultado de herramienta|resultado de la herramienta|resultat d outil|werkzeugergebnis|результат инструмента|результата инструмента|도구 결과|resultado da ferramenta|and result|and results|results were|tool results
serverResult: server tool result|web search tool result|web fetch tool result|advisor tool result|code execution tool result|bash code execution tool result|text editor code execution tool result|tool search tool result|mcp tool result|web search result
serverCall: server tool use|web search tool use|mcp tool use|web fetch tool use|code execution tool use
thinking: thinking|redacted thinking|thinking block|reasoning block|thought block|思考
thinkingText: thinking thinking
reasoning: reasoning content|reasoning text|reasoning details|thinking content|reasoning field|content thinking|推理内容|思考内容|思维链
reasoningItem: reasoning item|type reasoning|item of type reasoning
signature: signature|签名|署名|firma|signatur|подпись
thoughtSignature: thought signature|thoughtsignature|思考签名
encrypted: encrypted content|encrypted reasoning|encrypted reasoning content|invalid encrypted content
image: image|image url|image data|image source|image content|input image|picture|photo|vision content|vision input|image input|base 64 image|图片|图像|画像|imagen|bild|изображение|изображения|이미지|imagem|vision|screenshot
document: document|pdf|pdf file|document block|文档|文件|pdf document|pdfs|docx|encrypted pdf
search: web search result block|search result|search result block|encrypted index
content: content|content block|content field|text content|text block|text content block|content part|content element|text field|text part|text parameter|part|parts field|message content|text|message text|内容|消息内容|text content part|contenido|inhalt|содержимое|contenu|nachrichteninhalt|message body
partDirection: input text|output text
message: message|消息|メッセージ|turn|conversation|history|mensaje|nachricht|сообщение|сообщения|메시지|mensagem|conversation history|message history|对话|messages array|content list|messages parameter|messages field|conversación|conversa|unterhaltung|разговор|диалог
role: role|roles|角色|rolle|rol|роль|роли
system: system message|system role|role system|system prompt|developer message|系统消息
assistant: assistant|assistant message|model turn|assistant response|assistant turn|role assistant|model message|助手
user: user|user message|user turn|role user|user role|用户消息|user prompt|human message|human turn
name: name|tool name|function name|函数名|名称
documentName: document name|file name|filename|name of the document|document names|document file name
resultName: function response name
responseValue: function response response|response struct|tool result content json|content json
arguments: argument|arguments|call arguments|call input|tool use input|function arguments|tool arguments|tool call arguments|function call arguments|function call args|call args|tool calls function arguments|tool calls arguments|tool input|function args|tool parameters|工具参数|函数参数|аргументы|tool use arguments|arguments string|arguments field
tools: tools|tool|declared tools|tool definitions|tool list|list of tools|tool config|tools array|tools param|tools parameter|工具|工具列表|tools field|functions array
declaration: tool declaration|function declaration|tool definition|function parameters|tool schema|input schema|tool spec|json schema|function schema|function definition|parameters schema|parameter schema|工具定义|tool input schema|schema for function|response schema|flavored json schema|response format schema|tool parameters schema
item: item|input item|item found|items
itemId: item id|item with id|item found with id|input item id|message id|id of item|msg id
previousResponse: previous response|previous response id|previous response with id|response with id|response id
cache: cache control|cache mark|cache breakpoint|cache point|cache control block|缓存控制
ttl: ttl
apiKey: api key|apikey|x api key|access key|auth token|access token|bearer token|credential|credentials|authentication|authorization|unauthorized|unauthenticated|oauth token|security token|login|log in|logged in|jwt|api token|secret key|permission|permission denied|access denied|forbidden|not authorized|密钥|鉴权|认证|令牌无效|身份验证|未授权|无权限|权限|api schlüssel|clave api|authenticate|service account|iam|invalid token|token expired|token has expired|refresh token|sign in|401|403|organization must be verified|ip address|signature we calculated|request signature|sso|api キー|ключ api|chave de api|clé api|令牌已过期|无效的令牌|令牌
toolChoice: tool choice|requested tool does
parameter: temperature|top p|top k|stop|seed|reasoning effort|budget tokens|thinking budget tokens|presence penalty|frequency penalty|logprobs|top logprobs|logit bias|response format|parallel tool calls|service tier|thinking type|thinking budget|enable thinking|stream options|verbosity|modalities|stop sequences|instructions|truncation|context management|output config|effort|safety settings|generation config|thinking config|metadata|prompt cache key|safety identifier|anthropic beta|anthropic version|prediction|audio|voice|thinking level|min p|repetition penalty|num ctx|keep alive|mcp servers|mcp server|container|system instruction|request argument|option|setting|header|streaming|random seed|output format|guided json|guided decoding|chat template|lora|response mime type|candidate count|media resolution|cached content|encoding format|parameter|参数|параметр|stream|store|background|timeout|reasoning summary|best of|beam search|thinking enabled|thinking adaptive|parser
model: model|deployment|model id|model name|model identifier|this model|requested model|模型|modell|modelo|модель|モデル|publisher model
summary: summary
caller: caller
`

/** What a text says about them. */
export const sayings = `
httpType: text plain|application xml|application json|multipart|text html
permission: to call this|to perform|assume|access this|this action|this operation|this endpoint
not: not|isn t|never|nicht|не|kein|pas|ないです|没|不是
formats: format|formats|png|jpeg|webp|gif|heic|tiff|svg|格式
foreign: different provider|another provider|other provider|different model|another model|other model|another account
arrayTooLong: array too long|list too long
mustEnd: must end with|has to end with|should end with|must be ended
notMatch: not match|mismatch|does not match|do not match|inconsistent|不匹配|不一致
supported: are supported|is supported|only supported|are allowed|must be in|must be one of|only allowed|must be
notFound: not found|was not found|could not be found|can not be found|does not exist|do not exist|not exist|unknown|unmatched|not match any|not in the|不存在|找不到|未找到|не найден|nicht gefunden|no encontrado|見つかりません|not present|not correspond to
parse: parse|decode|delimiter|解析|syntax error|unterminated|expecting delimiter|expecting value|expecting property name
allowedRoles: allowed roles|valid roles|supported roles|accepted roles|允许的角色
noResult: without results|without result|no result|no results|no output|without output|without response|without responses
haveResult: must have a result|must have result|needs a result|have a result
badModel: invalid model|unknown model|unsupported model|model is invalid|not a valid model|model not exist|wrong model|model invalid
systemError: system error|deadline expired
invalidRole: invalid message role|message role
validRole: use a valid role|valid role
equal: equal to|same number|not equal|match the number
messagesIllegal: messages parameter is illegal|messages parameter illegal
compactionItem: compaction trigger|compaction|item type
callType: tool use|tool result|function call|tool call
endpointOnly: only supported in|in the v 1 completions|completions endpoint|responses api|use the responses
included: included|include|required|must accompany
orgDenied: organization has been disabled|member of an organization|organization must be verified|user not found|no user or org|account disabled|account not found|account has been disabled|not a member|project not found
id: id|ids
key: property|field|key|input tag|parameter|argument name|unknown name
type: type|content type|block type|part type|item type|input type|tag|valid tag
no: no|without|without a|without its|lack|lacking|miss|missing|did not find|did not have|does not have|do not have|have not|has no|have no|had no|not have|not find|could not find|can not find|unable to find|not followed by|expect|found no|absent|no matching|no corresponding|no preceding|with no|missing a|missing its|is missing a|are missing a|without matching|缺少|没有|未找到|缺失|ohne|sin|sans|fehlt|fehlende|без|falta|отсутствует|нет|없이|sem|contains no|not contain any|not include|does not contain|do not contain|no such|fewer|too few
unanswered: unanswered|unprocessed|unresolved|pending|incomplete|unfinished|open|not been answered|not answered|never answered|no response|outstanding|未完成|未返回|未响应
needs: must be followed by|should be followed by|must be followed immediately by|has to be followed by|need to be followed by|must have|should have|must be answered|must be a response to|should be a response to|must be response to|must respond to|must be preceded by|must follow|must come after|should follow|must correspond to|has to follow|require|requires|need|needs|come immediately after|comes immediately after|must immediately follow|must be immediately after|必须紧跟|必须跟随|必须有|后面必须|之后必须|需要|应跟随|должно следовать|must match|must contain|must include|expected to be followed by|not preceded by|must be paired with|should be preceded by|must be preceded|has to be|must carry|has to contain|must provide|must be accompanied by
doesNotFollow: does not follow|do not follow|not follow
gone: not found|is missing|are missing|missing|was not found|were not found|can not be found|could not be found|does not exist|do not exist|not exist|unknown|unmatched|orphan|orphaned|dangling|no longer exist|no longer available|no longer valid|does not match any|not match any|do not match any|不存在|未找到|找不到|丢失|缺失|not present|not provided|not persisted|expired|unpaired|not paired|not matched|not returned|nicht gefunden|fehlt|non trouvé|no encontrado|не найден|見つかりません|없습니다|não encontrado|has no match|does not correspond to any|not correspond to|отсутствует|отсутствуют|ありません
unexpected: unexpected|unmatched|orphan|orphaned|dangling|stray|unknown|孤立|неожиданный
required: field required|required|is required|are required|missing required|missing|missing field|missing parameter|required field|required parameter|must be defined|has to be defined|must be set|must be specified|is not specified|not specified|must be provided|be set|必填|不能缺少|must be present|缺少|缺失|obligatorio|pflichtfeld|обязательное поле|необходимо|必須|can not be missing|not set
passedBack: passed back|pass back|sent back|returned to the api|回传|provided back|included in subsequent|round tripped|preserved|be returned|传回|pass|returned|sent again|included|carry|must carry|contain reasoning
empty: empty|non empty|not be empty|nonempty|is empty|was empty|be empty|empty string|empty array|empty list|empty object|empty text|initialized field|at least one|at least 1|should have at least 1|too short|minimum length 1|must not be empty|can not be empty|none empty|为空|空|不能为空|null or empty|can not be blank|leer|vacío|vide|пустым|пустой|пустое|空です|비어|vazio|zero length|but not none|length 0|greater than 0|at least one character|more than 0|leerer|leere|leeres|vacía|blank content
emptyArray: empty array|empty list|array too short|at least 1 item|at least one message|too short|at least one contents
null: got null|is null|be null|null|none type|nil|undefined|got none|none is not|not none|nonetype
noneIterable: none type object is not iterable|none type object is not subscriptable
blank: blank|whitespace only|only whitespace|non whitespace|consist only of whitespace|contains only whitespace|空白|of whitespace|whitespace text
duplicate: duplicate|duplicated|be unique|unique|same id|repeated|multiple|already exist|already used|same tool|is not unique|not unique|重复|doppelt|duplicado|дубликат|重複|중복|reused|used twice|appear twice|appears more than once|more than once|twice|found multiple|two results|both results
alternate: alternate|alternating|alternation|interleave|in a row|successive|consecutive|2 or more|two or more|back to back|same role|strictly alternate|交替|连续|alternieren|alternar|чередоваться|чередуются|чередование|交互|two consecutive
after: after|following|immediately after|directly after|preceding|before it|before|紧跟|之后|后
first: first|begin with|start with|starts with|must start|must begin|第一条|首条|最初|erste|primero|первое
last: last|final|end with|ending with|ends with|final position|must end|最后|letzte|último|последнее|end in|at the end
trailingSpace: trailing whitespace|ends with whitespace|trailing space|trailing spaces|whitespace at the end
prefill: prefill|pre fill|pre filling|prefilling|prefilled|预填充|partial mode|assistant prefix|response prefill
middle: at the beginning|only at the beginning|must come first|must be first|must be the first|in the middle|not directly follow|must precede|must not follow|not follow|not precede|must appear first|开头|only first|only the first|should be the first|be the first
together: same turn|mixed with|be mixed|mixed|combine|same message|together with|alongside|mix|混用
count: number of|equal to|same number|not equal|数量|количество|number mismatch|match the number|不一致|do not match the number|count of|same amount|as many|fewer|more tool
tooLong: too long|maximum length|max length|too large|length less than or equal|longer than|exceed|over the limit|larger than|too big|greater than the|maximum allowed|max allowed|above the|超过|超出|过长|超长|过大|太长|太大|超限|zu lang|zu groß|demasiado largo|demasiado larga|demasiado grande|excede|trop long|dépasse|überschreitet|слишком длинный|слишком длинное|слишком большой|превышает|превышена|превышен|превышено|長すぎ|超え|초과|muito longo|overflow|does not fit|not fit|ran out of|run out of|out of|beyond|at most|limit reached|over limit|higher than|is over|surpass|überschritten|dépassé|superado|excedido|превысил|초과했습니다
tooMany: too many|maximum of|at most|max number of|more than|maximum number of|array too long|list too long|过多|太多|up to|limit of|数量超过|zu viele|demasiados|слишком много|trop de|exceed the number|only up to|no more than|maximum|limited to|only one
pattern: pattern|match pattern|regular expression|alphanumeric|alphameric|a z|only contain letters|invalid character|illegal character|valid identifier|length of 9|length 9|must start with a letter|格式|must only contain|special character
begins: begin with|starting with|start with|begins with
invalid: invalid|not valid|illegal|bad|incorrect|corrupt|corrupted|malformed|wrong|mismatch|not match|not be verified|verification failed|verification|fail verification|failed to verify|does not match|decoding failed|decode|tampered|无效|非法|错误|不合法|不正确|校验失败|验证失败|ungültig|ungültige|inválido|inválida|invalide|недействительный|недействительная|неверный|неверная|недопустимый|недопустимая|無効|유효하지|could not be decoded|decrypt|not be validated|can not be validated|fails validation|verify|validation
mustBeText: valid string|expect a string|expected string|must be a string|not a string|be a string|expected a string|string type
notText: got an object|got a number|got a boolean|got an integer|got object|not a string|cannot unmarshal|can not unmarshal|got a list|got list|got an array instead
object: valid dictionary|json object|be an object|valid object|must be an object|expected object|not a mapping|expect record|unmarshal string|not repeating|be a dict|proto field|go struct field|对象|dictionary|expected a string but got an object|struct
json: json|json format|valid json|parse as json|parse json|unterminated string|json parse error|invalid json|解析|malformed json|json string|json syntax|as json
surrogate: surrogate|surrogates|low surrogate|high surrogate|lone surrogate|unpaired surrogate|unpaired
expectedOther: does not match any|invalid value|expected one of|supported values are|literal value|expected tags|unexpected value|must be one of|invalid type|invalid input type|invalid literal|input tag|tag|unsupported value|invalid content type|unsupported content type|unknown type|unsupported type|unknown variant
shape: expected shape|invalid part type|invalid content type|single text|expected one of a string or array|model message|message schema|messages schema|tagged union|not match the expected shape|valid tag|expected text|message content type|invalid message content type|single text element|format of the message|does not match the schema
unknownField: extra inputs are not permitted|extra inputs not permitted|extra inputs|extra input|unknown parameter|unknown field|unknown name|can not find field|unsupported property|property is unsupported|additional properties|unrecognized key|unrecognized field|unknown argument|extra fields|unexpected field|unexpected property|unknown property|extra forbidden|unexpected keyword|未知字段|多余字段|unknown key|不支持的字段|unsupported field|property not allowed|unknown attribute|unrecognized property|неизвестное поле|unbekanntes feld|campo desconocido
unsupported: not supported|unsupported|does not support|do not support|not support|only supports|not permitted|not allowed|only allowed|not capable|not accept|not multimodal|text only|incompatible|不支持|nicht unterstützt|no soporta|no admite|не поддерживает|не поддерживается|サポートされていません|지원하지|não suporta|unable to handle|no support for|can not handle|that support|can not be used|can not see|not enabled for|is text only|does not accept|rejects|not have vision|no vision|lacks vision|without vision|vision capability|not capable of|capability
unreadable: could not process|can not process|unable to process|failed to process|not be processed|not be read|could not read|unreadable|not readable|can not read|failed to decode|could not decode|corrupt|corrupted|damaged|invalid image|not a valid|does not match the provided|appears to be|appear to be|media type not supported|not valid|not be parsed|could not open|can not open|can not identify|can not identify image file|unsupported image|invalid format|valid url|failed to load|failed to download|could not download|unable to download|failed to fetch|error while downloading|truncated|format not supported|无法读取|无法解析|无法处理|解析失败|下载失败|加载失败|valid base 64|invalid base 64|unable to decode|unsupported format|is broken|not be decoded|invalid media|failed to parse|could not parse|unable to parse|unable to read|not be opened|malformed|invalid|base 64|decoding failed|process|decode|not supported format|format|media type|specified using|not fetch|can not fetch|not represent a valid|unable to fetch|not valid image|does not represent|cannot download|while downloading|only types are supported|only image types|extract text|unable to extract|could not extract
password: password|password protected|protected|加密|密码
pages: page|pages|pdf page|页
dimension: dimension|pixel|width|height|resolution|2000 px|px|分辨率|像素|尺寸|pixels|many image requests
bytes: bytes|mb|megabyte|kb|gb|mib|file size|payload|request body|request size|request entity|payload size|请求体|byte
modified: be modified|modified|altered|remain as they were|篡改|been changed|modify|change|tampered|unchanged
bound: bound to a different|differ from the one|different conversation|block was created with|bound|another conversation|other conversation|different prefix|does not match the prefix
chain: preceded this one when it was created|preceding thinking block|previous thinking block
fromTurn: found text|but found|must start with a thinking block|expected thinking|expect thinking|start with a thinking|expect redacted thinking|must start with|begin with thinking
undeclared: not declared|undeclared|not defined|must be defined|tools are not provided|without tools|does not specify any tools|no tools|tools must be provided|未定义|未声明|must also be provided|must be declared|but no tools|without defining tools|tools is required|tools must be declared|is not declared|tools declared|not declare|declare|without declaring
error: status value is error|is error|error status
store: store|persist|persisted
tokens: token|input token|prompt token|token count|max message tokens|字符|токен|токенов|токены|トークン|토큰|jeton|字数|tokens
window: context length|context window|context size|context limit|context|max model len|maximum context length|model context|n ctx|kv cache|maximum prompt length|max prompt length|maximum sequence length|max seq len|sequence length|position embeddings|max input length|上下文|上下文长度|模型最大长度|контекст|контекста|コンテキスト|컨텍스트|contexto|contexte|kontextfenster|maximum allowed context|num ctx|slot|context window of|n ctx train
prompt: prompt|input|input length|input content|prompt length|conversation|chat history|输入|提示词|输入内容|输入长度|对话内容|提示|消息长度|プロンプト|入力|프롬프트|entrada|eingabe|anfrage|total tokens|context|request is too|request too|request exceeds|messages exceed|messages too|message too|history too|request was too|your request|request contains|请求过|请求内容|请求长度|запрос превышает|слишком длинный запрос|request size|request of|your messages|query too|messages are too|messages is too|history is too|history exceeds|conversation is too|total length|input is|prompt is|texts|formed request
shorten: shorten|reduce the length|reduce your|reduce the input|decrease input|start a new conversation|start a new chat|range of input length|缩短|减少|精简|сократите|kürzen|kürzer|acorte|truncate|trim|reduce the number of messages|reduce message|shorter|input length should be|reduce the size|压缩
tooLargeBody: request too large|request entity too large|payload too large|body too large|content too large|length limit exceeded|entity too large|request exceeds the maximum size|413|payload size exceeds|too many bytes|body exceeded|exceeds the maximum size|请求体过大|content length exceeded|content length limit|body limit|body size limit|body exceeds|request size exceeds|entity larger
maxTokens: max tokens|max completion tokens|max output tokens|max new tokens|output tokens|completion tokens|num predict
perMinute: tokens per min|tokens per minute|tpm|input tokens per minute
money: billing|credit|credits|credit balance|balance|insufficient balance|insufficient funds|payment|payment required|spend limit|spending limit|current quota|insufficient quota|subscription|free tier|trial|top up|recharge|overdue|arrears|arrearage|usage limit|purchase|invoice|余额|欠费|充值|账户余额|额度|套餐|402|monthly limit|prepaid|guthaben|saldo|баланс|средств|crédito|残高|paid plan|upgrade your plan|account balance|out of extra usage|resource package|资源包|exceeded your current quota|spend cap|plan and billing|out of credits|budget has been|over budget|billing hard limit|max budget|exceeded budget|free allocated quota|allocated quota|for your plan|your plan
policy: content policy|content filter|content filtering|content management policy|safety system|safety filter|usage policy|usage policies|flagged|moderation|violates|violate|violation|prohibited|inappropriate|sensitive|harmful|data inspection|responsible ai|was blocked|be blocked|blocked by|blocked due|guardrail|content exist risk|风险|敏感|违规|不合规|安全审核|recitation|jailbreak|copyright|high risk|审核|политик|blocklist|safety reasons|acceptable use
routing: data policy|guardrail restrictions|no endpoints|endpoints available|privacy settings|region not supported|country region or territory|territory not supported|not available in your country|location is not supported|unsupported country|not available in your region|no allowed providers|providers have been ignored
notThere: not found|does not exist|not exist|deprecated|retired|not available|no longer available|unknown|not supported|decommissioned|shut down|sunset|end of life|not a valid|no such|not enabled|unsupported|not deployed|不存在|未开通|找不到|已下线|has been removed|not have access|no access|not loaded|pull it first|try pulling it|nicht gefunden|no existe|не найдена|не существует|not accessible|was not found|not served|not recognized|no permission|not support|not allowed to use|does not support this|on demand throughput|provided model identifier is invalid
url: url|path|route|page|endpoint|method not allowed|cannot post|404|resource|405|invalid url|no route|接口|base url
badValue: unsupported|not supported|does not support|unsupported value|unsupported parameter|unknown parameter|unrecognized|must be|should be|invalid|not allowed|not permitted|out of range|less than|greater than|less than or equal|greater than or equal|between|may only|range|not available|not valid|missing|required|not compatible|incompatible|deprecated|extra inputs|can not be|exceeds|unknown|at most|ignored|not support|only available|无效|错误|недопуст|should match|does not match|expected
conflict: can not specify both|mutually exclusive|can not be used together|can not use both|can not set both|not be used with|both|only one of|may not be enabled when|be used together with|can not be combined|not compatible with|conflicts with|may not be used when|not be set when|can not be enabled|can not be used with|not both|can not specify|specify both|at the same time|together
mixedStrict: mixed values for strict|strict
cacheSmall: start caching|minimum token count to start caching|cached content is of|minimum total token
madeCall: failed to call a function|failed generation|tool use failed|malformed function call|unexpected tool call|malformed response|invalid sequence as part of tool use|model generated invalid tool|model produced invalid|model output invalid|generated an invalid tool|output parse error|attempted to call tool|tool call validation failed|not in request tools|parameters for tool|invalid function call generated|model generated|could not parse tool call|model produced|model generated a malformed|malformed tool call|output generated|produced an invalid|tried to call|model tried|unavailable tool|hallucinated
rate: rate limit|rate limited|too many requests|too many concurrent|throttle|throttled|throttling|requests per minute|requests per day|request limit|quota exceeded|resource exhausted|resource has been exhausted|concurrency|concurrency limit|concurrent requests|429|slow down|rpm|requests per second|请求过于频繁|频率|限流|请求过多|并发|速率|rate exceeded|1302|1305|too many tokens please wait|限速|demasiadas solicitudes|слишком много запросов|zu viele anfragen|trop de requêtes|リクエストが多|quota metric|cooldown|cooling down|tokens per day|访问量过大|请求太频繁|请求频繁|too many connections|queue full|queue is full|tpm|tokens per minute|tokens per min|limit exceeded try again|too fast|访问量|temporarily rate|request limit reached|limit reached|message limit|messages limit
busy: overload|overloaded|at capacity|no capacity|high demand|high load|server busy|server is busy|is busy|currently unavailable|temporarily unavailable|no healthy upstream|no available|model is loading|currently loading|loading model|not ready|engine overloaded|service unavailable|unable to process your request|insufficient system resource|529|503|繁忙|负载过高|过载|负载|überlastet|sobrecargado|перегружен|混雑|暂时不可用|unable to serve|warming up|capacity constraints|capacity exceeded|insufficient capacity|heavy load|under load|服务器繁忙|server unavailable|is unavailable|unavailable
cut: stream closed|stream disconnected|stream ended|stream end|premature close|prematurely|premature end|unexpected end|unexpected end of|incomplete chunked read|without finish reason|without message stop|closed before|terminated|ended before|incomplete response|before completion|chunk encoding|eof|connection lost|stream interrupted
broken: error was encountered while running|disconnected unexpectedly|connection reset|connection closed|socket hang up|socket|econnreset|upstream connect error|upstream prematurely|upstream timed out|model stream|stream error|had an error processing|connection error|connection refus|econnrefused|network error|etimedout|fetch failed|connection timeout|peer closed|broken pipe|remote host closed|dns|getaddrinfo|enotfound|error while running the model|connection aborted|tls|ssl|connect timeout|remote end closed|upstream error|without response|running the model|error was encountered|while running the model
crash: internal server error|internal error|an error occurred|server error|unexpected error|bad gateway|gateway timeout|gateway time out|request timed out|timed out|timeout|deadline exceeded|something went wrong|server had an error|error occurred while processing|500|502|504|internal exception|внутренняя ошибка|内部错误|服务器错误|内部エラー|系统错误|系统异常|服务异常|error code 524|524|520|an unexpected error|inference failed|inference error|interner fehler|error interno|timed out waiting|internal failure|服务内部|超时|worker died|cuda|out of memory|runner process|engine
lockedThread: while a run|run is active|already has an active|active run|active response|conversation is locked|is locked|conversation locked|response in progress|being processed by another|concurrent modification|is currently running|run is in progress|already running|another request is|in progress|already being processed|被锁定|正在处理中|busy with another|is active|active|is being processed|being processed|running response|wait for the running|response to finish|still running|still in progress|currently processing
`

/**
 * The combinations that mean a rule or a class. A combination applies if a sentence has all of its concepts; the
 * longest one wins, and the first of equals. `a>b`: the next thing after `a` is `b`. `a<b`: the last thing before `b`
 * is `a`. `!a`: not with `a`. `=some_words`: these words, which no
 * concept has. `@history`, `@tools`: the text names a place in the history, in the declared tools.
 */
export const meanings = `
tool-result-missing: no>result | no>result call | no>result callId | needs>result call | call needs>result | result<gone | result<gone call | result<required call | call<unanswered | unanswered>call | result doesNotFollow>call | =tool_use_concurrency call | call no>result | call no>message | call needs =output | no>result after>call | @history no>result middle | haveResult call | noResult call | call result notMatch | needs>result | not>result assistant tools | not>result after | call<unanswered last assistant
tool-result-orphan: unexpected>callId result | unexpected>result | no>call result | result needs>call | unexpected role>result | result<unexpected | count>result tooLong count>call | result no>call | result no>callId | no>call result id gone | callId<notFound | callId<notFound result | call<notFound result | call<notFound id | unexpected>callId | =no_tool_call_found | =must_be_a_response_to | count>call tooLong | result =no_such_call
server-tool-result-orphan: unexpected>callId serverResult | needs>serverCall | no>serverResult | unexpected>serverResult | serverResult no>serverCall | unexpected>callId serverResult @history
tool-result-count-mismatch: count>result count>call | count>call result | count>result call | count>call | count>result count>call equal | count>result | =fewer>result call
tool-result-duplicate: =single>result | =single>result duplicate>result | duplicate>result | result<duplicate | result<duplicate id | duplicate>callId =and_messages | result duplicate id @history | =single>result needs call | call =single needs | duplicate call>result | =two_results call | duplicate result call
tool-call-id-duplicate: call<duplicate | call<duplicate id | duplicate>callId | duplicate>callId @history | duplicate>call | callId<duplicate | call duplicate id @history
tool-call-id-format: callId pattern | callId<pattern | callId badValue pattern | call pattern id | =tool_call_ids pattern | =tool_call_ids pattern badValue
tool-call-id-too-long: callId tooLong | callId<tooLong | callId<tooLong @history | callId<tooLong @history invalid | callId<tooLong mustBeText
tool-call-id-empty: callId<empty | callId<empty @history | callId<required | required>callId | required>callId @history | needs>callId | =tool_call_id_is_not_found callId<notFound | callId<required @history | required>callId result needs>callId | @history callId<required gone | @history callId<required gone key
tool-call-name-invalid: callName<empty | callName pattern | callName tooLong | callName<required | call required>name | required>callName | callName<badValue | @history name<empty | @history name<pattern | @history name<tooLong | call name<empty
message-name-invalid: messageName<pattern | messageName<empty | messageName<tooLong | messageName<invalid | messageName<pattern @history
tool-declaration-name-invalid: @tools name<pattern | @tools name<empty | @tools name<tooLong | @tools invalid name pattern | declaration name<pattern | declaration name<badValue | @tools name pattern tooLong
tool-calls-empty-array: call<emptyArray | call<emptyArray @history | empty>call | empty>call unsupported | call<emptyArray @history empty | @history call<emptyArray invalid empty
tools-too-many: tools<tooMany | tooMany>tools | tools<tooMany tooLong
tools-undeclared-with-history: tools<undeclared | tools undeclared call | tools<undeclared assistant | undeclared>tools | undeclared>tools call | included>tools result | included tools result required | result tools included key | tools declaration required call | tools declaration required call message | declaration required call message
tool-result-not-object: responseValue<badValue | responseValue object | result json object | result<object | result json badValue object | @history responseValue object expectedOther
tool-result-shape: result<mustBeText | result<mustBeText @history | result<required @history | result content<required @history | result content<unknownField @history | result<unknownField @history | result expectedOther @history =found_using | @history =output required | result null | expectedOther>image partDirection url | @history unknownField>result | @history unknownField>result type | @history =output expectedOther notText | @history =output notText type
tool-result-multimodal-unsupported: result<unsupported | result unsupported model | image unsupported result | image unsupported user result | =text_is_not_set content required
tool-result-error-empty: result<empty error | result empty error | result<empty
tool-result-name-missing: resultName<empty | resultName<required | resultName<empty @history | @history resultName<empty badValue | @history resultName name<empty badValue
tool-result-mixed-with-other-parts: result together | result<together content | call result together | last assistant unsupported | result<middle content | result middle first content | result<first content
tool-call-mixed-with-text: call<together | content call<together | assistant needs>content call conflict | call content conflict
tool-call-turn-order: call needs>user | call needs>user result | =function_call_turn_comes_immediately_after
tool-arguments-not-json: arguments json | arguments json invalid | call arguments json | arguments json unreadable | arguments json badValue | arguments json badValue parameter | arguments parse | call arguments parse
tool-arguments-not-object: arguments<object | arguments object | arguments<required | required>arguments @history | arguments<required @history | arguments<notText | arguments notText object | arguments<badValue @history | arguments object json @history | @history arguments<notText expectedOther type | arguments<object @history mustBeText expectedOther | @history arguments object expectedOther | =item_pairs_from_a_mapping
content-empty: content<empty | empty>content | message<empty | empty>message | message empty>content | content<empty @history | message content<empty | content call empty | assistant needs>content call | needs empty>content | assistant<empty | empty>assistant | @history empty>content | @history needs empty content required key | =one_initialized_field | content<empty role | =must_not_be_empty | =must_have_a_message
text-blank: content blank | content<blank @history | content needs blank | blank>content | content<blank
trailing-whitespace: trailingSpace | trailingSpace assistant | trailingSpace content | trailingSpace last content | trailingSpace assistant last content
content-missing: content<required | required>content | content<required @history | required>content @history | required content<gone @history key | required key content<required | needs>content | needs>role content
content-null: content<null | content<null @history | content mustBeText null | noneIterable | message null shape | content mustBeText null @history | message shape type null | shape content type null | @history content<null expectedOther mustBeText type
messages-empty: message<emptyArray | message<emptyArray !@history invalid | emptyArray>message | content<required !@history prompt empty | emptyArray>content required | message emptyArray required | emptyArray message !@history | content<required prompt !@history | emptyArray>message empty !@history | emptyArray content required key empty !@history | =generate_content_request_contents_contents required | =generate_content_request_contents_contents content<required | messageList<empty | messageList<empty needs | messageList empty emptyArray | =no_messages | =no_messages_provided
content-part-direction: expectedOther>partDirection | expectedOther partDirection =output
foreign-message: expectedOther>call | expectedOther>call type | expectedOther>result | expectedOther>thinking type !parameter | =found_using expectedOther @history | callType expectedOther | compactionItem expectedOther type | expectedOther callType expectedOther>content image | expectedOther>image partDirection url
content-shape: content<shape | message<shape | shape>content | shape>message | content<notText @history | content expectedOther @history | shape expectedOther>content @history | encrypted<required | search encrypted<required | @history shape | message shape invalid | @history content<mustBeText expectedOther null type | @history =content_text content<null expectedOther mustBeText type | content<mustBeText @history | required @history content type parameter | required key @history content type parameter gone | notText>content | content<mustBeText | unsupported>content type | notText>content object | content<invalid type @history | =invalid_user_message
role-order: role<alternate | alternate>user | alternate>assistant | alternate user assistant | role alternate user | unexpected>user | unexpected>assistant | unexpected>system after | alternate>assistant last | alternate assistant | alternate user | alternate role | alternate>message | unexpected>user after | unexpected>assistant after
role-unknown: unexpected>system | role<expectedOther | role expectedOther @history | expectedOther role | role unsupported @history | invalid>role | unexpected>role | badValue>role user | role<badValue @history | role expectedOther @history unsupported | @history role<expectedOther gone | @history role<gone expectedOther | expectedOther assistant user | expectedOther expectedOther>assistant user | badValue>role | validRole | allowedRoles unexpected role | role<supported | role<supported user | role supported user assistant | system<unsupported | role supported | role<unsupported | unexpected role>result notFound | =unknown_role | =unknown_role unexpected notFound
system-message-position: system middle | system<middle | middle>system | invalid role system | system invalid role message | tooMany>system | invalidRole system | invalidRole system message content | system first | system<middle first | system middle supported | system middle first supported
first-not-user: first>user | message first>user | first user role
last-assistant-prefill: prefill assistant | prefill unsupported | last>user | last>user assistant | last assistant unsupported | prefill unsupported assistant last>user | no last>user | prefill | last>assistant prefill | last>result | last>user needs | last assistant role | mustEnd message | mustEnd>user | =ending_with_a_model_turn | =not_end_with assistant | =not_end_with assistant message
thinking-signature-invalid: invalid>signature thinking | signature<invalid thinking | invalid>signature @history | signature<invalid @history | invalid>signature thinking @history | thinking invalid signature | thinking foreign | thinking foreign message | invalid>signature thinking content
thinking-signature-missing: signature<required thinking | signature<required @history | required>signature thinking | signature<gone thinking | no>signature thinking | thinking signature<required @history | no>signature @history
thinking-text-missing: thinkingText<required | thinkingText<required @history
thinking-bound-to-other-prefix: bound | thinking bound | invalid>signature thinking bound @history | invalid>signature thinking bound | system bound
thinking-chain-broken: chain | thinking chain | thinking chain no | thinking chain gone required
thinking-block-modified: thinking modified | thinking<modified | thinking<modified assistant last | thinking modified @history last assistant | =can_not_be_modified
thinking-last: last thinking assistant | last assistant thinking content | assistant last badValue thinking
thinking-block-missing-before-tool-use: thinking fromTurn | no>thinking fromTurn | no>thinking | no>thinking @history fromTurn | fromTurn thinking assistant
thought-signature-missing: no>thoughtSignature | thoughtSignature<gone | thoughtSignature<required | call no>thoughtSignature | required>thoughtSignature | call no>thoughtSignature gone | call no>thoughtSignature content gone
thought-signature-invalid: invalid>thoughtSignature | thoughtSignature<invalid | thoughtSignature<unreadable | thoughtSignature invalid | thoughtSignature unreadable @history | thoughtSignature invalid unreadable | thoughtSignature<unreadable @history expectedOther | thoughtSignature invalid @history expectedOther bytes
reasoning-content-missing: reasoning passedBack | thinking passedBack | reasoning<required | required>reasoning | no>reasoning | reasoning<gone | no>reasoning assistant | thinking reasoning<gone call | reasoning passedBack thinking | assistant needs>reasoning | needs>reasoning | needs>reasoning thinking
reasoning-content-forbidden: reasoning unknownField | reasoning<unknownField @history | reasoning<unsupported | reasoning<unknownField | reasoning unsupported @history | reasoning unsupported @history key | unknownField>reasoning | unknownField>reasoning expectedOther
reasoning-encrypted-content-invalid: encrypted invalid | encrypted<invalid | invalid>encrypted | item encrypted<invalid
reasoning-item-orphan: reasoningItem no>item | =without_its_required_following_item | reasoningItem needs>item
item-without-reasoning: no>reasoningItem | item no>reasoningItem | needs>reasoningItem | item call no>reasoningItem
reasoning-item-content-forbidden: content<arrayTooLong @history | content<arrayTooLong @history tooLong
reasoning-summary-missing: summary<required | @history summary<required | required>summary | @history required>summary
item-id-not-persisted: itemId<gone | itemId gone store | item<gone store
item-id-prefix: id begins | @history id begins | itemId begins | itemId mustBeText begins | @history id begins invalid
item-id-duplicate: duplicate>itemId | duplicate>item | itemId<duplicate | item<duplicate
item-id-other-connection: itemId =connection | item =connection
previous-response-not-found: previousResponse<gone | previousResponse gone | invalid>previousResponse | previousResponse<invalid | previousResponse<notThere
cache-control-on-empty-text: cache empty>content | cache content empty | cache empty>content @history
cache-control-on-thinking: thinking cache<unknownField | thinking cache<unknownField @history | thinking cache unsupported | thinking cache<unknownField @history badValue content
cache-control-too-many: tooMany>cache | cache<tooMany | cache tooMany
cache-control-ttl-order: cache ttl after | ttl after
cache-control-unsupported: cache<unknownField | cache<unknownField @history content | cache<unknownField @history badValue | cache<unsupported
image-unsupported: image<unsupported | unsupported>image | routing unsupported>image | model unsupported image | image unsupported model | expectedOther>image content @history | expectedOther>image content | image<unsupported model
image-unreadable: unreadable>image | image<unreadable | image<unreadable @history | image unreadable type | image<empty | image<empty @history | image unreadable | image invalid url | image<unreadable @history url | medium<unreadable | unreadable>medium | unsupported>medium | medium<unsupported | medium unreadable @history expectedOther | medium unreadable @history | image formats unsupported | image formats unsupported type
image-too-large-dimension: image dimension | image dimension tooLong | image dimension tooLong @history | image dimension badValue
image-too-large-bytes: image bytes tooLong | image<tooLong bytes | image<tooLong | medium<tooLong | medium bytes tooLong | image bytes tooLong @history
image-too-many: tooMany>image | image tooMany | tooMany>image prompt | image count tooLong
tools-unsupported: tools<unsupported | unsupported>tools | routing unsupported>tools | call<unsupported model | model unsupported>call | model unsupported>tools | routing unsupported>call
document-unreadable: unreadable>document | document<unreadable | document<unreadable @history | document password | document<empty | document password unreadable | document no pages | document medium unreadable @history | document unreadable medium | document<unreadable medium | document<unsupported =encrypted | =encrypted>document | unsupported =encrypted_pdf | medium password | =encrypted_pdf unsupported
document-too-many: tooMany>document | document<tooMany
pdf-too-many-pages: pages tooMany | document pages tooMany | pages tooLong | document pages tooLong
document-without-text: document content needs | content required document | document no>content | content document included
document-name-duplicate: documentName duplicate | document duplicate name
document-name-invalid: documentName pattern | documentName<invalid | document name pattern | documentName pattern document | document name pattern documentName badValue
lone-surrogate: surrogate | surrogate json | surrogate json invalid | no>surrogate
unknown-field: @history unknownField | @history key unsupported | key unsupported id | key unsupported =did_you_mean | message unknownField | @tools no>name required parameter | @history unknownField shape content expectedOther | @history unknownField parameter
no-user-message: messagesIllegal | no>user needs | no>user | no>user message
tool-calls-too-many: call<tooMany | tooMany>call | @history call<tooMany tooLong
prompt-too-long: tokens tooLong | window tooLong | prompt tooLong | window tokens | window tooLong tokens | prompt tokens tooLong | shorten prompt | shorten | tokens tooMany prompt | prompt window tooLong | shorten prompt tooLong | tokens window tooLong prompt | image content tokens tooLong | shorten message | maxTokens empty tokens | =range_of_input_length | =range_of_input_length shorten | =range_of_input_length prompt shorten | message<tooLong | =maximum_context_length
request-too-large: tooLargeBody | tooLargeBody bytes | bytes tooLong prompt | tooLargeBody prompt | bytes tooLong | tooLargeBody tooLong prompt | tooLargeBody tooLong | =content_text tooLong mustBeText @history
rate-tier-too-small: tooLargeBody perMinute | tooLargeBody perMinute rate tokens tooLong | tooLargeBody perMinute rate tokens tooLong prompt shorten | =extra_usage =long_context | tooLargeBody perMinute rate tokens tooLong prompt
max-tokens-overflow: maxTokens window tooLong | maxTokens tooLong | maxTokens tooLong prompt window | maxTokens badValue | maxTokens tooLong tokens window prompt | maxTokens tooLong tokens =output | maxTokens tooLong =output tokens tooMany | maxTokens tokens tooLong | maxTokens tokens tooMany tooLong | =output_limit tooLong | =output_limit tooLong tooMany | maxTokens tooLong tooMany
billing: money | money model | money apiKey | money rate | money tooLong | money tokens | money tokens maxTokens | money tokens maxTokens prompt tooMany | money required | money medium tooLong | money medium<tooLong
auth: apiKey | apiKey invalid | apiKey<required | apiKey<gone | apiKey notThere | apiKey signature invalid | apiKey required parameter | orgDenied | apiKey money invalid | no =access | role unsupported permission | role<unsupported permission
account-policy: routing | routing policy
unknown-model: model<notThere | notThere>model | model notThere apiKey | model<notThere badValue | model<notThere gone | no>model | model notThere =access | model<unsupported | model busy gone | model endpointOnly | model notThere badValue =region | notThere =region | badModel model | badModel
content-policy: policy | policy prompt | policy content | policy model
bad-parameter: parameter badValue | parameter<badValue | badValue>parameter | parameter unsupported model | parameter<badValue model | unknownField key | parameter<badValue maxTokens | parameter unsupported | model<required | required>model | expectedOther | parameter expectedOther | parameter expectedOther =found_using | thinking =found_using expectedOther !@history | toolChoice unsupported | toolChoice unsupported parameter | toolChoice unsupported parameter required | toolChoice unsupported model parameter badValue | call unsupported parameter | parameter busy | parameter role unsupported | parameter role<unsupported badValue | =unsupported_media_type medium unsupported | =unsupported_media_type medium unsupported type | httpType content type unsupported | httpType content type badValue unsupported | parameter mustBeText tooLong | parameter prompt tooLong mustBeText | parameter<tooLong
parameter-conflict: conflict | conflict parameter | conflict thinking parameter
beta-field-without-header: unknownField | unknownField parameter | unknownField !@history !@tools key parameter | parameter<unknownField badValue
tool-schema-invalid: declaration | @tools | @tools badValue | declaration invalid | declaration badValue | tools mixedStrict | tools mixedStrict badValue | declaration empty | @tools =found_using expectedOther | @tools required | @tools declaration badValue | @tools required>tools | declaration tools required | tools duplicate badValue name
tool-not-declared: toolChoice notThere | toolChoice gone | toolChoice badValue | toolChoice tools gone
json-mode-keyword: =word_json | =word_json needs | =word_json needs prompt message
cache-too-small: cacheSmall | cacheSmall tokens | cacheSmall tokens prompt
model-tool-call-failed: madeCall | madeCall call | madeCall tools | madeCall call invalid | madeCall call tools invalid | madeCall arguments | madeCall call arguments | parse>call | parse>call json
rate-limited: rate | rate tokens | rate prompt | rate tooLong | rate tokens tooLong prompt | rate model | rate apiKey | rate tokens tooMany | rate busy | rate prompt tooLong | rate prompt tooLong tokens perMinute tooMany | rate tooLong badValue prompt | rate tokens tooLong | rate tokens tooLong perMinute | rate tokens tooMany tooLong | rate message tooLong | rate message
overloaded: busy | busy model | busy prompt
stream-truncated: cut | cut broken
stream-error: broken | broken model | broken prompt | broken crash
server-error: crash | crash prompt | systemError
conversation-locked: lockedThread | lockedThread message | lockedThread prompt | busy message lockedThread
`
