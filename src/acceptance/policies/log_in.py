"""log_in.py FOLDER USER: authenticates by PAM with the password on stdin, with the service `login` in the folder. Prints what the
modules say; status 0 if the user may log in."""
import ctypes
import ctypes.util
import sys

pam = ctypes.CDLL(ctypes.util.find_library("pam"))
libc = ctypes.CDLL(None)
libc.strdup.restype = ctypes.c_void_p
libc.calloc.restype = ctypes.c_void_p


class Message(ctypes.Structure):
    _fields_ = [("style", ctypes.c_int), ("text", ctypes.c_char_p)]


class Response(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("code", ctypes.c_int)]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.POINTER(Message)),
                            ctypes.POINTER(ctypes.POINTER(Response)), ctypes.c_void_p)


class Conversation(ctypes.Structure):
    _fields_ = [("callback", CALLBACK), ("data", ctypes.c_void_p)]


password = sys.stdin.buffer.read()


@CALLBACK
def converse(count, messages, responses, _):
    answers = ctypes.cast(libc.calloc(count, ctypes.sizeof(Response)), ctypes.POINTER(Response))
    for i in range(count):
        if messages[i][0].style == 1:  # A prompt without echo.
            answers[i].text = libc.strdup(password)
        else:
            print(messages[i][0].text.decode(), flush=True)
    responses[0] = answers
    return 0


handle = ctypes.c_void_p()
folder, user = (word.encode() for word in sys.argv[1:])
conversation = Conversation(converse, None)
status = pam.pam_start_confdir(b"login", user, ctypes.byref(conversation), folder, ctypes.byref(handle))
status = status or pam.pam_authenticate(handle, 0)
sys.exit(1 if status else 0)
