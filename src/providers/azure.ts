import { GPT_5 } from './models.ts'
import { threeDialects } from './three-dialects.ts'

const hosts = [/\.openai\.azure\.com$/, /\.services\.ai\.azure\.com$/, /\.cognitiveservices\.azure\.com$/]

/** Azure: models of OpenAI, Anthropic and others in Foundry. */
export const azure = threeDialects('azure', hosts, {
  chat: {
    'tool-call-id-too-long': [
      { evidence: 'many-reports', max: 40, except: GPT_5 },
      { evidence: 'many-reports', max: 64, models: GPT_5 },
    ],
  },
})
