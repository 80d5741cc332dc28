// McpToolName.encode.
import { toolsMcpName } from "apex-parts:glue";

export const McpToolName = { encode: (client, tool) => toolsMcpName(client, tool, 64) };
