// The three scripts that change or read a run in one step.

/**
 * What all begin with. Keys: the stream, the hash of the run, its snapshot. `PTTL m` is twice that of the others, so
 * half of it left means that those are over; a stream that was evicted is over too.
 */
const BEGIN = `
if redis.replicate_commands then redis.replicate_commands() end
local d,m,s=KEYS[1],KEYS[2],KEYS[3]
local call,op=redis.call,ARGV[1]
local t=call('TIME')
local now=t[1]*1000+math.floor(t[2]/1000)
local v=call('HMGET',m,'epoch','nonce','owner','until','pos','end','stop','snapAt','ttl','lease','size','gone')
local epoch,nonce,pos,ended,stop,snapAt,ttl=v[1],v[2],v[5],v[6],v[7],v[8],v[9]
local function over()
return call('PTTL',m)<=tonumber(ttl) or (pos~='0' and call('EXISTS',d)==0)
end
local function say(code) return {code,pos,epoch,v[3],stop and 1 or 0} end
`;

const KNOWN = `
if not epoch then return {'unknown_run'} end
if over() then return say('expired') end
`;

/** For who has a token: ARGV 2 and 3. */
const OWNED = `
if epoch~=ARGV[2] or nonce~=ARGV[3] then return say('fenced') end
`;

/**
 * `claim` owner lease force nonce ttl · `recreate` owner lease epoch nonce ttl at bytes end · `delete` ·
 * `latest` · `read` from most.
 */
export const CLAIM: string = `${BEGIN}
if op=='delete' then
local had=epoch
call('DEL',d,m,s)
if had then call('HSET',m,'gone',1) call('PEXPIRE',m,30000) end
return {'ok'}
end
local function create(epoch,nonce,pos,life)
call('HSET',m,'epoch',epoch,'nonce',nonce,'pos',pos,'snapAt',pos,'ttl',life,'size',0,'c'..epoch,pos)
call('HDEL',m,'gone')
call('PEXPIRE',m,2*life)
end
local function take()
call('HSET',m,'owner',ARGV[2],'until',now+ARGV[3],'lease',ARGV[3])
end
if op=='recreate' then
if epoch then return say('fenced') end
if v[12] then return {'unknown_run'} end
local life=tonumber(ARGV[6])
call('SET',s,ARGV[8],'PX',life)
call('XADD',d,ARGV[7]..'-0','x',1)
call('XTRIM',d,'MAXLEN',0)
call('PEXPIRE',d,life)
create(ARGV[4],ARGV[5],ARGV[7],life)
take()
call('HSET',m,'c0',ARGV[7])
if ARGV[9]~='' then call('HSET',m,'end',ARGV[9],'until',0) end
return {'ok'}
end
if op=='claim' then
if not epoch then
create(1,ARGV[5],0,tonumber(ARGV[6]))
take()
return {'ok','0','1','0',false}
end
if over() then return say('expired') end
if ended then return say('ended') end
if v[3]~=ARGV[2] and tonumber(v[4])>now and ARGV[4]~='1' then return say('held') end
epoch=string.format('%.0f',epoch+1)
call('HSET',m,'epoch',epoch,'nonce',ARGV[5],'c'..epoch,pos)
take()
return {'ok',pos,epoch,snapAt,call('GET',s)}
end
if not epoch then return {'unknown_run'} end
local state={over() and 1 or 0,tostring(math.max(0,tonumber(v[4])-now)),call('HGETALL',m)}
if op=='latest' then return {'ok',state,state[1]==0 and call('GET',s)} end
if state[1]==1 then return say('expired') end
if tonumber(ARGV[2])<tonumber(snapAt) then return {'trimmed',snapAt} end
local found,size,most,at={},0,tonumber(ARGV[3]),ARGV[2]
local count=16
while true do
local list=call('XRANGE',d,at..'-1','+','COUNT',count)
for _,e in ipairs(list) do
local f=e[2]
size=size+#f[6]
if #found>0 and size>most then return {'ok',state,found} end
at=string.match(e[1],'%d+')
found[#found+1]={f[4],at,f[2],f[6]}
end
if #list<count then return {'ok',state,found} end
end
`;

/** `append` epoch nonce from to bytes end ttl most channel · `renew` epoch nonce · `release` epoch nonce · `stop`. */
export const APPEND: string = `${BEGIN}${KNOWN}
if op=='stop' then
if not ended then call('HSET',m,'stop',1) end
return say('ok')
end
${OWNED}
if op=='release' then call('HSET',m,'until',0) return say('ok') end
local free=now+v[10]
if op=='renew' then
if ended then return say('ended') end
call('HSET',m,'until',free)
return say('ok')
end
local from,to,bytes,last,life=ARGV[4],ARGV[5],ARGV[6],ARGV[7],tonumber(ARGV[8])
local again=to==pos and tonumber(pos)>tonumber(call('HGET',m,'c'..epoch))
if ended then return say(again and last==ended and 'duplicate' or 'ended') end
if again then return say('duplicate') end
if from~=pos or tonumber(to)<=tonumber(from) then return say('gap') end
local size=v[11]+#bytes
if size>tonumber(ARGV[9]) then return say('too_large') end
call('XADD',d,to..'-0','e',epoch,'f',from,'d',bytes)
pos=to
call('HSET',m,'pos',to,'until',free,'size',size,'ttl',life)
if last~='' then call('HSET',m,'end',last,'until',0) end
call('PEXPIRE',d,life)
call('PEXPIRE',s,life)
call('PEXPIRE',m,2*life)
if ARGV[10]~='' then redis.pcall('SPUBLISH',ARGV[10],to) end
return say('stored')
`;

/** `snapshot` epoch nonce at bytes. Before Redis 6.2 there is no MINID: what is left is counted. */
export const SNAPSHOT: string = `${BEGIN}${KNOWN}${OWNED}
local at=ARGV[4]
local n=tonumber(at)
if n<tonumber(snapAt) then return say('ok') end
if n==0 or n>tonumber(pos) then return say('gap') end
if at~=snapAt and #call('XRANGE',d,at..'-0',at..'-0')==0 then return say('gap') end
call('SET',s,ARGV[5],'PX',math.max(1,call('PTTL',d)))
call('HSET',m,'snapAt',at)
if type(redis.pcall('XTRIM',d,'MINID',at..'-1'))=='table' then
call('XTRIM',d,'MAXLEN',#call('XRANGE',d,at..'-1','+'))
end
return say('ok')
`;
