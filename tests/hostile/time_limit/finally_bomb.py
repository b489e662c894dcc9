# expect: TLE|MLE|CE
"""Nested `finally` blocks: the compiler copies each twice, so that 20 levels become millions of instructions. Seen: common in fuzzers of compilers."""
try:
 x()
finally:
 try:
  x()
 finally:
  try:
   x()
  finally:
   try:
    x()
   finally:
    try:
     x()
    finally:
     try:
      x()
     finally:
      try:
       x()
      finally:
       try:
        x()
       finally:
        try:
         x()
        finally:
         try:
          x()
         finally:
          try:
           x()
          finally:
           try:
            x()
           finally:
            try:
             x()
            finally:
             try:
              x()
             finally:
              try:
               x()
              finally:
               try:
                x()
               finally:
                try:
                 x()
                finally:
                 try:
                  x()
                 finally:
                  try:
                   x()
                  finally:
                   try:
                    x()
                   finally:
                    x()


def attention(q, k, v, mask=None):
    return v
