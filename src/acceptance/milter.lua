-- What miltertest asks of a running gateway, for OpenDKIM's tool of that name: -D port=PORT
local function expect(what, holds)
	if not holds then
		error(what)
	end
end

local function connected(version)
	local conn = mt.connect("inet:" .. port .. "@127.0.0.1")
	expect("connects", conn ~= nil)
	expect("negotiates version " .. version, mt.negotiate(conn, version, nil, nil) == nil)
	expect("CONNECT", mt.conninfo(conn, "client.example", "192.0.2.7") == nil and mt.getreply(conn) == SMFIR_CONTINUE)
	mt.helo(conn, "client.example")
	return conn
end

local function envelope(conn, sender, recipient)
	expect("MAIL", mt.mailfrom(conn, "<" .. sender .. ">") == nil and mt.getreply(conn) == SMFIR_CONTINUE)
	expect("RCPT", mt.rcptto(conn, "<" .. recipient .. ">") == nil)
	return mt.getreply(conn)
end

local function message(conn, host)
	expect("field", mt.header(conn, "Subject", "hello") == nil)
	expect("field", mt.header(conn, "X-Bloomgate-Verdict", "clean") == nil)
	expect("body", mt.bodystring(conn, "see http://" .. host .. "/\r\n") == nil)
	expect("end", mt.eom(conn) == nil)
	return mt.getreply(conn)
end

local refused = mt.connect("inet:" .. port .. "@127.0.0.1")
expect("negotiates", mt.negotiate(refused, 6, nil, nil) == nil)
expect("a client is refused at CONNECT", mt.conninfo(refused, "client.example", "198.51.100.9") == nil and mt.getreply(refused) == SMFIR_REPLYCODE)
mt.disconnect(refused)
local conn = connected(6)
for name, option in pairs({ HELO = SMFIP_NR_HELO, header = SMFIP_NR_HDR, EOH = SMFIP_NOEOH, body = SMFIP_NR_BODY, DATA = SMFIP_NODATA, unknown = SMFIP_NOUNKNOWN }) do
	expect("is silent at " .. name, mt.test_option(conn, option))
end
envelope(conn, "a@from.example", "b@dest.example")
expect("clean mail passes", message(conn, "good.example") == SMFIR_CONTINUE or mt.getreply(conn) == SMFIR_ACCEPT)
envelope(conn, "a@from.example", "b@refused.dest.example")
expect("listed mail is refused", message(conn, "listed.example") == SMFIR_REPLYCODE)
expect("a listed sender is refused at RCPT", envelope(conn, "a@listed.example", "b@refused.dest.example") == SMFIR_REPLYCODE)
mt.abort(conn)
mt.abort(conn)
envelope(conn, "a@from.example", "b@marked.dest.example")
expect("tagged mail passes", message(conn, "listed.example") == SMFIR_CONTINUE)
expect("with its verdict on top", mt.eom_check(conn, MT_HDRINSERT, "X-Bloomgate-Verdict", " listed"))
expect("and without the forged one", mt.eom_check(conn, MT_HDRDELETE, "X-Bloomgate-Verdict"))
envelope(conn, "a@from.example", "b@held.dest.example")
expect("the mail server drops its copy of what is kept", message(conn, "listed.example") == SMFIR_DISCARD)
envelope(conn, "a@from.example", "b@later.dest.example")
expect("deferred mail is put off", message(conn, "listed.example") == SMFIR_REPLYCODE)
envelope(conn, "a@from.example", "b@thrown.dest.example")
expect("mail to be thrown away is discarded", message(conn, "listed.example") == SMFIR_DISCARD)
mt.disconnect(conn)
