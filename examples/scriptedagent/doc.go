// Scriptedagent is an agent that speaks the Agent Client Protocol over stdio by
// playing a script. It needs no model, no network and no key, so clients can be
// shown and tested on a fresh machine, and any agent's wire, a broken one's
// too, can be played to them line by line.
//
//	scriptedagent          a tour of Cursor's private methods
//	scriptedagent FILE     the script in FILE
//
// It ends with 0 when the client closes its stdin, and with 2 when the script
// is wrong; stderr then says in which line.
//
// # Scripts
//
// A script is a file of JSON lines. Each is one step: an object with the step's
// verb as a key, and perhaps modifiers beside it. Empty lines and lines that
// start with # are skipped. An example:
//
//	{"agent":{"name":"acme","version":"2.0"}}
//
//	# The first prompt.
//	{"on":"session/prompt"}
//	{"say":"You said: ${params.prompt.0.text}"}
//	{"update":{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Deploy","kind":"execute"}}
//	{"call":"acme/confirm","params":{"toolCallId":"t1","text":"Deploy now?"}}
//	{"say":"Confirmed: ${result.confirmed|no}"}
//
//	# The second and all later ones.
//	{"on":"session/prompt"}
//	{"say":"Working. Please cancel."}
//	{"wait":"session/cancel"}
//	{"result":{"stopReason":"cancelled"}}
//
// # Groups
//
// {"on":METHOD} begins a group, which is played when the client sends METHOD.
// Several groups of one method are played in turn, the last of them again and
// again. The steps before the first group are played at the start.
//
// One group is played at a time; what arrives meanwhile for another one waits.
// A method that the script names nowhere, in no "on" and no "wait", does not
// wait but is answered by default: initialize (protocol version 1), session/new
// (s1, s2, ...), session/load, session/set_mode, session/prompt (end_turn), and
// error -32601 for any other. The same answers go, at the end of a group, to the
// requests that the group took and left open. If session/cancel is not named,
// it ends its session's turn at the next step: cancelled.
//
//	{"agent":{...}}   name, version, capabilities (agentCapabilities), and
//	                  sessions, a list of the first session ids; once, at most
//
// # What is written
//
//	{"send":JSON}             a frame, or any other JSON, byte for byte
//	{"update":JSON}           a session/update; modifier "session"
//	{"say":TEXT}              an agent_message_chunk; modifier "session"
//	{"notify":METHOD}         a notification; modifier "params"
//	{"request":METHOD}        a request; modifiers "params" and "id", by default
//	                          the next of 0, 1, 2, ...
//	{"call":METHOD}           the same, and waits for the answer
//	{"result":JSON}           answers the client's request; modifier "to", a
//	{"error":JSON}            METHOD or METHOD#2, by default the group's own
//	{"raw":TEXT}              a line, or more, that need not be JSON
//	{"hex":DIGITS}            bytes, with no newline
//	{"stderr":TEXT}           a line on stderr
//
// All but call and stderr take "repeat":N (N writes), "chunk":N (in pieces of N
// bytes) and "end":TEXT (in place of the newline).
//
// # What is waited for
//
//	{"wait":METHOD}           the client's next request or notification of METHOD
//	{"await":[ID,...]}        the answers to the agent's requests with these ids;
//	                          [] is all that are open
//	{"pause":MS}              milliseconds pass; for show, as waits need no time
//
// # How it ends
//
//	{"silent":true}           this group's requests get no default answers
//	{"ignore":"eof"}          lives on when the client has closed stdin
//	{"close":"stdout"}        what is written after that goes nowhere
//	{"exit":CODE}             ends at once
//	{"kill":true}             ends by SIGKILL
//
// # Placeholders
//
// They may stand in any text of the steps that write and in "await". A JSON
// string that is nothing but a placeholder becomes the placeholder's value: a
// number, say, or an object. $${ is a plain ${.
//
//	${session}                the session of the message that is played, or the last
//	${cwd}                    the directory that the client gave last
//	${id}  ${id:METHOD}       the id of the client's request: the group's own, or
//	                          the last (METHOD#1: the first) that was taken
//	${params.PATH}            a field of its params: prompt.0.text;
//	                          ${params:METHOD.PATH} likewise
//	${result.PATH}            a field of the answer that was awaited last;
//	${error.PATH}             ${result:ID.PATH} of the request with that id
//	${next}                   the next id for a request
//	${i}  ${i%N}              the repetition, from 0
//	${fill:N}  ${rep:N:TEXT}  N times x, N times TEXT
//	${env:NAME}               a variable of the environment
//
// ${...|TEXT} is TEXT where there is nothing to put in. Without that, a field
// that the client did not send is null, and anything else is an error.
package main
